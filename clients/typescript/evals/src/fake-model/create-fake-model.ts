import { setTimeout as wait } from 'node:timers/promises';
import { ArgumentError, ModelError } from '../errors.ts';
import { type ChatMessage, textOf } from '../models/chat-message.ts';
import type { AnswerForm, JsonSchema, Model, ModelRequest, ModelResponse, TokenLogprob } from '../models/model.ts';
import { ownValue } from '../own-value.ts';
import { type ConditionOptions, Conditions, type OutcomeKind } from './conditions.ts';
import { createFakeJudge, type FakeJudge, type FakeJudgeOptions } from './fake-judge.ts';

/** What a fake model is asked. */
export interface FakePrompt {
  readonly messages: readonly ChatMessage[];
  /** Texts of all messages. */
  readonly text: string;
  /** Labels of a classification; empty for other answers. */
  readonly labels: readonly string[];
  /** How often this text has been asked before. */
  readonly repetition: number;
}

/** A text is returned as it is, an error thrown, anything else as JSON. */
export type FakeAnswer = unknown;

export interface FakeModelOptions extends ConditionOptions {
  /** Answers in turn (the last one stays), or a function of the prompt. Without them a judge answers. */
  readonly answers?: readonly FakeAnswer[] | ((prompt: FakePrompt) => FakeAnswer);
  readonly judge?: FakeJudgeOptions;
  readonly name?: string;
  /** Forms of structured answers that it accepts; default: schema and tool. */
  readonly supports?: readonly ('schema' | 'tool')[];
  /** Whether repetitions of one text are judged again; default false: the same text always has the same answer. */
  readonly variesByRepetition?: boolean;
  /** The one key that the HTTP server accepts; by default any. */
  readonly apiKey?: string;
  /** Whether texts are counted; default true. */
  readonly countsTexts?: boolean;
}

/** What a fake model was asked. */
export interface FakeCounts extends Readonly<Record<OutcomeKind, number>> {
  readonly requests: number;
  readonly unauthorized: number;
  readonly rejectedForms: number;
  readonly batches: number;
  readonly distinctTexts: number;
  /** Answers that were given for a text that had been answered before. */
  readonly repeatedTexts: number;
  /** Requests that were answered at once, at most. */
  readonly concurrencyMax: number;
}

export interface FakeModel extends Model {
  readonly counts: FakeCounts;
  readonly conditions: Conditions;
  readonly apiKey: string | undefined;
  /** Requests with this text in their prompt that were answered. */
  asked(text: string): number;
  /** The answer without delays, limits and failures. @throws {ModelError} with status 400 for a form that is not supported */
  decide(request: ModelRequest): ModelResponse;
  /** Adds to a count. */
  count(name: Exclude<keyof FakeCounts, 'distinctTexts' | 'repeatedTexts' | 'concurrencyMax'>): void;
  /** Counts requests that are under way. */
  enter(): () => void;
}

const TEXT_COUNT_MAX = 2_000_000;
/** A mean of vendors' tokenizers for English. */
const CHARS_PER_TOKEN = 4;

/** A model for tests: its answers, delays, limits and errors are known. It runs in this process; see also `startFakeModelServer`. */
export function createFakeModel(options: FakeModelOptions = {}): FakeModel {
  const {
    answers,
    name = 'fake-model',
    supports = ['schema', 'tool'],
    variesByRepetition = false,
    countsTexts = true,
  } = options;
  if (Array.isArray(answers) && answers.length === 0)
    throw new ArgumentError('A fake model needs at least one answer.');
  const judge = createFakeJudge({ seed: options.seed ?? 0, ...options.judge });
  const conditions = new Conditions(options);
  const counts = {
    ...{ requests: 0, answered: 0, refused: 0, failed: 0, hung: 0, half: 0, endless: 0 },
    ...{ unauthorized: 0, rejectedForms: 0, batches: 0, distinctTexts: 0, repeatedTexts: 0, concurrencyMax: 0 },
  };
  const texts = new Map<string, number>();
  let running = 0;
  let turn = 0;

  const decide = (request: ModelRequest): ModelResponse => {
    const form: AnswerForm = request.answer?.form ?? 'words';
    if (form !== 'words' && !supports.includes(form)) {
      counts.rejectedForms++;
      throw new ModelError(`The fake model does not support answers by ${form}.`, { status: 400 });
    }
    const text = request.messages.map(textOf).join('\n');
    const repetition = texts.get(text) ?? 0;
    if (countsTexts && texts.size < TEXT_COUNT_MAX) {
      texts.set(text, repetition + 1);
      if (repetition > 0) counts.repeatedTexts++;
      counts.distinctTexts = texts.size;
    }
    counts.answered++;
    const labels = request.answer ? labelsOf(request.answer.schema) : labelsInText(text);
    const prompt = { messages: request.messages, text, labels, repetition };
    const said =
      answers === undefined
        ? undefined
        : typeof answers === 'function'
          ? answers(prompt)
          : answers[Math.min(turn++, answers.length - 1)];
    if (said instanceof Error) throw said;
    const answer = said === undefined ? judged(judge, prompt, request, variesByRepetition) : said;
    return toResponse(answer, request, judge, prompt);
  };

  const call = async (request: ModelRequest): Promise<ModelResponse> => {
    counts.requests++;
    const leave = enter();
    try {
      const { kind, delayMs, retryAfterMs } = conditions.next(tokensOf(request.messages.map(textOf).join('\n')));
      if (kind !== 'answered') counts[kind]++;
      const headers = conditions.headers();
      const stated = Object.keys(headers).length > 0 ? { headers: new Headers(headers) } : {};
      if (kind === 'refused') {
        const after = { ...headers, 'retry-after-ms': String(Math.ceil(retryAfterMs ?? 0)) };
        throw new ModelError('The fake model has a rate limit.', { status: 429, headers: new Headers(after) });
      }
      if (kind === 'hung' || kind === 'endless')
        await wait(HANG_MS, undefined, request.signal ? { signal: request.signal, ref: false } : { ref: false });
      if (delayMs > 0) await wait(delayMs, undefined, request.signal ? { signal: request.signal } : {});
      if (kind === 'failed') throw new ModelError('The fake model fails.', { status: 500 });
      const response = decide(request);
      if (kind === 'half')
        return {
          ...response,
          value: undefined,
          text: response.text.slice(0, response.text.length / 2),
          finishReason: 'length',
          ...stated,
        };
      return { ...response, ...stated };
    } finally {
      leave();
    }
  };
  const enter = () => {
    running++;
    counts.concurrencyMax = Math.max(counts.concurrencyMax, running);
    return () => {
      running--;
    };
  };

  return {
    provider: 'fake',
    name,
    address: '',
    answerForms: ['schema', 'tool', 'words'],
    counts,
    conditions,
    apiKey: options.apiKey,
    asked: (part) => [...texts].reduce((sum, [text, count]) => sum + (text.includes(part) ? count : 0), 0),
    count: (key) => {
      counts[key]++;
    },
    enter,
    decide,
    call,
  };
}

const HANG_MS = 3_600_000;

export const tokensOf = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

function labelsOf(schema: JsonSchema): readonly string[] {
  const labels = ownValue(ownValue(ownValue(schema, 'properties'), 'label'), 'enum');
  return Array.isArray(labels) ? (labels as readonly string[]) : [];
}

/** The labels of a schema that a prompt asks for in words. */
function labelsInText(text: string): readonly string[] {
  const [, list] = /"enum":\s*(\[[^\]]*\])/.exec(text) ?? [];
  try {
    return list === undefined ? [] : (JSON.parse(list) as readonly string[]);
  } catch {
    return [];
  }
}

/** What is judged. The rules of a judge are in the system message, and examples in them have marks of their own. */
function materialOf(messages: FakePrompt['messages']): string {
  const material = messages.filter(({ role }) => role !== 'system');
  return (material.length > 0 ? material : messages).map(textOf).join('\n');
}

function judged(
  judge: FakeJudge,
  { messages, labels, repetition }: FakePrompt,
  { answer, repetition: index }: ModelRequest,
  varies: boolean,
): unknown {
  if (labels.length === 0) return answer ? valueOfSchema(answer.schema) : 'A fake answer.';
  const label = judge.decide(materialOf(messages), labels, varies ? (index ?? repetition) : 0);
  const properties = answer ? Object.keys((answer.schema.properties ?? {}) as object) : ['explanation', 'label'];
  return Object.fromEntries(properties.map((name) => [name, name === 'label' ? label : 'The fake judge says so.']));
}

/** A value that fits simple schemas. */
function valueOfSchema(schema: JsonSchema): unknown {
  const { enum: values, type, properties = {}, items } = schema;
  if (Array.isArray(values)) return values[0];
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(properties as Record<string, JsonSchema>).map(([name, each]) => [name, valueOfSchema(each)]),
    );
  if (type === 'array') return items ? [valueOfSchema(items as JsonSchema)] : [];
  if (type === 'number' || type === 'integer') return 0;
  return type === 'boolean' ? true : 'text';
}

function toResponse(
  answer: unknown,
  { answer: wanted, wantsLogprobs }: ModelRequest,
  judge: FakeJudge,
  prompt: FakePrompt,
): ModelResponse {
  const isText = typeof answer === 'string';
  const text = isText ? answer : JSON.stringify(answer);
  const label = ownValue(answer, 'label');
  const logprobs = wantsLogprobs && typeof label === 'string' ? logprobsOf(text, label, judge, prompt) : undefined;
  return {
    text,
    ...(wanted && { value: isText ? answer : structuredClone(answer) }),
    usage: { inputTokens: tokensOf(prompt.text), outputTokens: tokensOf(text) },
    finishReason: 'stop',
    ...(logprobs && { logprobs }),
  };
}

/** Three tokens: what is before the label, the label with the probabilities of the judge, and the rest. */
function logprobsOf(text: string, label: string, judge: FakeJudge, { messages, labels }: FakePrompt): TokenLogprob[] {
  const start = text.lastIndexOf(label);
  const good = judge.positive ?? labels[0] ?? label;
  const share = Math.min(1 - 1e-6, Math.max(1e-6, judge.probability(materialOf(messages))));
  const others = Math.max(1, labels.length - 1);
  const alternatives = labels.map((each) => ({
    token: each,
    logprob: Math.log(each === good ? share : (1 - share) / others),
  }));
  const chosen = alternatives.find(({ token }) => token === label);
  const plain = (token: string): TokenLogprob => ({ token, logprob: 0, alternatives: [] });
  return [
    plain(text.slice(0, start)),
    { token: label, logprob: chosen?.logprob ?? 0, alternatives },
    plain(text.slice(start + label.length)),
  ];
}
