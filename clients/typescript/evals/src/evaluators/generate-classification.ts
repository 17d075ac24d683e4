import { ArgumentError, LabelError } from '../errors.ts';
import type { ChatMessage } from '../models/chat-message.ts';
import { directCaller } from '../models/direct-caller.ts';
import type { JsonSchema, ModelParameters, TokenLogprob } from '../models/model.ts';
import { askForObject, recordedAnswer, type StructuredAnswer } from '../models/structured-answer.ts';
import { type ModelInput, toModel } from '../models/to-model.ts';
import { type Choice, findChoice, toChoices } from './choices.ts';
import type { EvaluateOptions } from './evaluator-base.ts';
import { type Telemetry, traceCall } from './telemetry.ts';

export interface GenerateClassificationOptions extends EvaluateOptions {
  readonly model: ModelInput;
  /** At least two. */
  readonly labels: readonly string[];
  /** Either this or `messages`. */
  readonly prompt?: string;
  readonly messages?: readonly ChatMessage[];
  readonly schemaName?: string;
  readonly schemaDescription?: string;
  readonly parameters?: ModelParameters;
  readonly telemetry?: Telemetry;
}

/** Lets a model choose a label and explain it first. @throws {LabelError} for a label that is not among the choices */
export async function generateClassification(
  options: GenerateClassificationOptions,
): Promise<{ label: string; explanation: string }> {
  const {
    model,
    labels,
    prompt,
    messages,
    schemaName,
    schemaDescription,
    parameters = {},
    telemetry,
    ...rest
  } = options;
  const { choice, explanation } = await classify(
    {
      ...{ model, choices: toChoices(labels), includeExplanation: true },
      ...{ parameters, schemaName, schemaDescription, telemetry },
    },
    toMessages('generateClassification', prompt, messages),
    rest,
  );
  return { label: choice.label, explanation: explanation ?? '' };
}

/** @throws {ArgumentError} for both, or none */
export function toMessages(
  caller: string,
  prompt: string | undefined,
  messages: readonly ChatMessage[] | undefined,
): readonly ChatMessage[] {
  if ((prompt === undefined) === (messages === undefined))
    throw new ArgumentError(`${caller} takes prompt or messages, and not both.`);
  return messages ?? [{ role: 'user', content: prompt ?? '' }];
}

export interface Classification {
  readonly model: ModelInput;
  readonly choices: readonly Choice[];
  readonly includeExplanation: boolean;
  readonly parameters: ModelParameters;
  readonly schemaName: string | undefined;
  readonly schemaDescription: string | undefined;
  readonly telemetry: Telemetry | undefined;
  readonly wantsLogprobs?: boolean;
}

export interface ClassificationAnswer {
  readonly choice: Choice;
  readonly explanation: string | undefined;
  readonly answer: StructuredAnswer;
  /** Probabilities of the labels, when the vendor gave log-probabilities. */
  readonly probabilities: ReadonlyMap<string, number> | undefined;
}

/** One classification by a model, with its usage. */
export async function classify(
  classification: Classification,
  messages: readonly ChatMessage[],
  { caller = directCaller, signal, repetition }: EvaluateOptions,
): Promise<ClassificationAnswer> {
  const { choices, includeExplanation, parameters, schemaName, schemaDescription, telemetry, wantsLogprobs } =
    classification;
  const model = toModel(classification.model);
  const labels = choices.map(({ label }) => label);
  const request = {
    name: schemaName ?? 'classification',
    ...(schemaDescription !== undefined && { description: schemaDescription }),
    schema: classificationSchema(choices, includeExplanation),
    messages,
    parameters,
    ...(wantsLogprobs && { wantsLogprobs }),
    ...(repetition !== undefined && { repetition }),
    ...(signal && { signal }),
    check: ({ label }: Readonly<Record<string, unknown>>) =>
      findChoice(choices, label)
        ? undefined
        : new LabelError(
            `The label ${JSON.stringify(label)?.slice(0, 200)} is not one of ${labels.map((each) => JSON.stringify(each)).join(', ')}.`,
          ),
  };
  const answer = await traceCall(
    telemetry,
    model,
    messages,
    () => askForObject(caller, model, request),
    recordedAnswer,
  );
  const choice = findChoice(choices, answer.value.label);
  if (!choice) throw new LabelError('The label is not among the choices.');
  const { explanation } = answer.value;
  return {
    choice,
    explanation: typeof explanation === 'string' && explanation !== '' ? explanation : undefined,
    answer,
    probabilities: labelProbabilities(answer.response.logprobs, String(answer.value.label), choices),
  };
}

/** The explanation is first, so that the model reasons before it decides. */
export function classificationSchema(choices: readonly Choice[], includeExplanation: boolean): JsonSchema {
  const labels = choices.map(({ label }) => label);
  const described = choices.filter(({ description }) => description !== undefined);
  const meaning = described.map(({ label, description }) => `${JSON.stringify(label)}: ${description}`).join('; ');
  return {
    type: 'object',
    properties: {
      ...(includeExplanation && {
        explanation: { type: 'string', description: 'The reason for the label, in one or two sentences' },
      }),
      label: { type: 'string', enum: labels, ...(meaning && { description: meaning }) },
    },
    required: includeExplanation ? ['explanation', 'label'] : ['label'],
    additionalProperties: false,
  };
}

/**
 * Probabilities of the labels at the token where the chosen label begins: alternatives that begin another label count for it.
 * Undefined when two labels begin alike at that token, because the token then does not decide.
 */
export function labelProbabilities(
  logprobs: readonly TokenLogprob[] | undefined,
  written: string,
  choices: readonly Choice[],
): ReadonlyMap<string, number> | undefined {
  const at = findLabelToken(logprobs ?? [], written);
  if (!at) return undefined;
  const sums = new Map<string, number>(choices.map(({ label }) => [label, 0]));
  for (const { token, logprob } of at.alternatives.length > 0 ? at.alternatives : [at]) {
    const text = token.replace(/^[\s"':]+/, '').toLowerCase();
    const meant = text === '' ? [] : choices.filter(({ label }) => startsAlike(label.toLowerCase(), text));
    if (meant.length > 1) return undefined;
    const [choice] = meant;
    if (choice) sums.set(choice.label, (sums.get(choice.label) ?? 0) + Math.exp(logprob));
  }
  const total = [...sums.values()].reduce((sum, value) => sum + value, 0);
  return total > 0 ? new Map([...sums].map(([label, value]) => [label, value / total])) : undefined;
}

const startsAlike = (first: string, second: string): boolean => first.startsWith(second) || second.startsWith(first);

/** The token at which the value of `label` begins: the explanation may name labels, too, before it or after it. */
function findLabelToken(logprobs: readonly TokenLogprob[], written: string): TokenLogprob | undefined {
  const text = logprobs.map(({ token }) => token).join('');
  const start = [...text.matchAll(/"label"\s*:\s*"/g)]
    .map((match) => match.index + match[0].length)
    .findLast((place) => text.startsWith(written, place));
  if (start === undefined) return undefined;
  let offset = 0;
  for (const each of logprobs) {
    if (start < offset + each.token.length) return each;
    offset += each.token.length;
  }
  return undefined;
}
