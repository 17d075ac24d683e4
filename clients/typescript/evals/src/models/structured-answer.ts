import { AnswerError } from '../errors.ts';
import type { ChatMessage } from './chat-message.ts';
import type {
  AnswerForm,
  AnswerSchema,
  Model,
  ModelCaller,
  ModelParameters,
  ModelRequest,
  ModelResponse,
  ModelUsage,
} from './model.ts';
import { modelKey } from './model.ts';
import { findObject } from './parse-json.ts';
import { statusOf } from './repeat.ts';

export interface StructuredRequest extends AnswerSchema {
  readonly messages: readonly ChatMessage[];
  readonly parameters: ModelParameters;
  readonly wantsLogprobs?: boolean;
  readonly repetition?: number;
  readonly signal?: AbortSignal;
  /** Returns the error of an object that is not as wanted; its message is told to the model, once. */
  readonly check: (value: Record<string, unknown>) => AnswerError | undefined;
}

/** What a trace says of an answer: its object, with the tokens of all calls. */
export const recordedAnswer = ({ value, usage }: StructuredAnswer) => ({ text: JSON.stringify(value), usage });

export interface StructuredAnswer {
  readonly value: Record<string, unknown>;
  readonly response: ModelResponse;
  /** Of all calls that the answer took. */
  readonly usage: ModelUsage;
  readonly cost: number | undefined;
  readonly form: AnswerForm;
  readonly isRepaired: boolean;
  readonly isCached: boolean;
}

/** The form that worked, by model and address. */
const workingForms = new Map<string, AnswerForm>();
const WORKING_FORM_COUNT_MAX = 1_000;

/** Statuses by which a vendor rejects a form that it does not have. */
const REJECTED_STATUSES = new Set([400, 404, 405, 415, 422, 501]);

/**
 * Asks for an object: by a strict schema, else by a tool that must be called, else in words. The form that works is remembered
 * for the model and its address. An answer that cannot be used gets one repair.
 *
 * @throws {AnswerError} when the repaired answer cannot be used either
 */
export async function askForObject(
  caller: ModelCaller,
  model: Model,
  request: StructuredRequest,
): Promise<StructuredAnswer> {
  const key = modelKey(model);
  const known = workingForms.get(key);
  const forms = known ? model.answerForms.slice(model.answerForms.indexOf(known)) : model.answerForms;
  for (const [index, form] of forms.entries()) {
    const isLast = index === forms.length - 1;
    let response: ModelResponse;
    const sent = toRequest(request, form);
    try {
      response = await caller.call(model, sent);
    } catch (error) {
      if (isLast || !REJECTED_STATUSES.has(statusOf(error) ?? 0)) throw error;
      continue;
    }
    const answer = await readOrRepair(caller, model, request, { form, sent, response });
    if (workingForms.size >= WORKING_FORM_COUNT_MAX) workingForms.clear();
    // The only form that was allowed need not be the best one.
    if (model.answerForms.length > 1) workingForms.set(key, form);
    return answer;
  }
  throw new AnswerError(`The model ${model.name} has no form of structured answers.`);
}

interface FirstAnswer {
  readonly form: AnswerForm;
  readonly sent: ModelRequest;
  readonly response: ModelResponse;
}

async function readOrRepair(
  caller: ModelCaller,
  model: Model,
  request: StructuredRequest,
  { form, sent, response }: FirstAnswer,
): Promise<StructuredAnswer> {
  const first = readObject(response, request);
  const common = { form, usage: response.usage ?? {}, cost: response.cost, isCached: response.isCached === true };
  if (!(first instanceof Error)) {
    caller.keep?.(model, sent, response);
    return { ...common, value: first, response, isRepaired: false };
  }
  const repair: ModelRequest = {
    ...sent,
    messages: [
      ...sent.messages,
      { role: 'assistant', content: shownAnswer(response) },
      {
        role: 'user',
        content: `${first.message} Answer again with only a JSON object by this schema: ${JSON.stringify(request.schema)}`,
      },
    ],
  };
  const repaired = await caller.call(model, repair);
  const second = readObject(repaired, request);
  const usage = addUsage(common.usage, repaired.usage ?? {});
  if (second instanceof Error) throw second;
  caller.keep?.(model, sent, response);
  caller.keep?.(model, repair, repaired);
  const cost =
    common.cost === undefined && repaired.cost === undefined ? undefined : (common.cost ?? 0) + (repaired.cost ?? 0);
  return { ...common, value: second, response: repaired, usage, cost, isRepaired: true };
}

function toRequest(request: StructuredRequest, form: AnswerForm): ModelRequest {
  const { name, description, schema, parameters, wantsLogprobs, repetition, signal } = request;
  return {
    messages: form === 'words' ? withInstruction(request.messages, schema) : request.messages,
    ...(form !== 'words' && { answer: { form, name, schema, ...(description !== undefined && { description }) } }),
    parameters,
    ...(wantsLogprobs && { wantsLogprobs }),
    ...(repetition !== undefined && { repetition }),
    ...(signal && { signal }),
  };
}

/** In the system message, which is the stable part of a prompt, so that caches of vendors hit. */
function withInstruction(messages: readonly ChatMessage[], schema: unknown): ChatMessage[] {
  const instruction = `Answer with only a JSON object by this JSON schema, without a fence and without other text: ${JSON.stringify(schema)}`;
  const [first, ...rest] = messages;
  if (first?.role === 'system' && typeof first.content === 'string') {
    return [{ role: 'system', content: `${first.content}\n\n${instruction}` }, ...rest];
  }
  return [{ role: 'system', content: instruction }, ...messages];
}

function readObject(
  response: ModelResponse,
  { schema, check }: StructuredRequest,
): Record<string, unknown> | AnswerError {
  const { value, text, finishReason } = response;
  const names = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const object = isObject
    ? (value as Record<string, unknown>)
    : findObject(typeof value === 'string' ? value : text, names);
  if (!object) return new AnswerError(noObjectText(text || String(value ?? ''), names, finishReason));
  const missing = names.filter((name) => !Object.hasOwn(object, name));
  if (missing.length > 0) return new AnswerError(`The answer lacks ${missing.join(', ')}.`);
  return check(object) ?? object;
}

const SHOWN_CHARS_MAX = 200;
/** An endless answer is not sent back whole. */
const REPEATED_CHARS_MAX = 4_000;

function noObjectText(text: string, names: readonly string[], finishReason: string | undefined): string {
  const why = finishReason === 'length' ? ' (it was cut at the limit of tokens)' : '';
  if (text.trim() === '') return `The answer is empty${why}; expected an object with ${names.join(', ')}.`;
  return `The answer contains no JSON object with ${names.join(', ')}${why}: ${JSON.stringify(text.slice(0, SHOWN_CHARS_MAX))}.`;
}

const shownAnswer = ({ text, value }: ModelResponse): string =>
  (text || JSON.stringify(value ?? '') || ' ').slice(0, REPEATED_CHARS_MAX) || '(nothing)';

export function addUsage(first: ModelUsage, second: ModelUsage): ModelUsage {
  const names = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
  const sums = names.map((name) => [
    name,
    first[name] === undefined && second[name] === undefined ? undefined : (first[name] ?? 0) + (second[name] ?? 0),
  ]);
  return Object.fromEntries(sums.filter(([, sum]) => sum !== undefined));
}
