import type { VendorPrompt } from '../../clients/typescript/evals/src/fake-model/wire/protocol.ts';
import { toWords, type VendorToolCall } from '../../clients/typescript/evals/src/fake-model/wire/wire-answer.ts';
import { valueOfSchema } from './schema-value.ts';
import { STAMP, type VendorAnswer, type VendorFault } from './vendor-answer.ts';

/**
 * The answer that a prompt asks for in its own text, by directives in double brackets in any message:
 *
 *   [[say some text]]           the answer; without it the last text is repeated after "Echo: "
 *   [[words 200]]               an answer of so many words
 *   [[stamps 200]]              an answer of so many chunks, each with the microseconds since 1970 of its sending
 *   [[reason some text]]        reasoning before the answer
 *   [[tool name {"key": 1}]]    a tool call; may stand several times
 *   [[label name]]              the label that a judge chooses, else one by the hash of the prompt
 *   [[latency 500]]             milliseconds before the first byte
 *   [[rate 100]]                chunks in a second
 *   [[finish length]]           another reason to stop
 *   [[fault reset middle]]      a fault, see `parseFault`; `[[fault 503 x2]]` for the first two calls with this body
 *
 * A prompt that must call a function calls it with values of its schema, and one with a response format answers JSON of it.
 */
export function scriptedAnswer(prompt: VendorPrompt, callsWithBody: number): VendorAnswer {
  const directives = readDirectives(prompt.text);
  const find = (name: string) => directives.find((directive) => directive.name === name)?.rest;
  const fault = find('fault');
  const latency = find('latency');
  const rate = find('rate');
  const finish = find('finish');
  const reasoning = find('reason');
  return {
    ...content(prompt, directives, find),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(latency === undefined ? {} : { latencyMs: Number(latency) }),
    ...(rate === undefined ? {} : { chunksPerSecond: Number(rate) }),
    ...(finish === undefined ? {} : { finish: finish as NonNullable<VendorAnswer['finish']> }),
    ...(fault === undefined ? {} : withFault(fault, callsWithBody)),
  };
}

interface Directive {
  readonly name: string;
  readonly rest: string;
}

function readDirectives(text: string): Directive[] {
  if (!text.includes('[[')) return [];
  return [...text.matchAll(/\[\[(\w+)(?:\s+([\s\S]*?))?\]\](?!\])/g)].map(([, name = '', rest = '']) => ({
    name,
    rest,
  }));
}

function content(
  prompt: VendorPrompt,
  directives: readonly Directive[],
  find: (name: string) => string | undefined,
): VendorAnswer {
  const asked = directives.filter(({ name }) => name === 'tool').map(({ rest }) => toToolCall(rest));
  if (asked.length > 0) return { toolCalls: asked, text: find('say') ?? '' };
  const forced = forcedTool(prompt);
  if (forced !== undefined) {
    const value = withLabel(valueOfSchema(forced.schema ?? {}, prompt.text), forced.schema, find('label'));
    return { toolCalls: [{ name: forced.name, arguments: value }] };
  }
  const words = find('words');
  if (words !== undefined) return { text: Array.from({ length: Number(words) }, (_, index) => `word${index} `) };
  const stamps = find('stamps');
  if (stamps !== undefined) return { text: Array.from({ length: Number(stamps) }, () => `${STAMP} `), isStamped: true };
  const said = find('say');
  if (said !== undefined) return { text: said };
  if (prompt.format !== undefined) {
    const value = withLabel(valueOfSchema(prompt.format, prompt.text), prompt.format, find('label'));
    return { text: JSON.stringify(value) };
  }
  return { text: toWords(`Echo: ${prompt.lastText}`) };
}

function forcedTool({ tools, choice }: VendorPrompt) {
  if (typeof choice === 'object') return tools.find(({ name }) => name === choice.name) ?? { ...choice, schema: {} };
  return choice === 'some' ? tools[0] : undefined;
}

/** Puts the label into the first property that has an enumeration, or that is called label. */
function withLabel(value: unknown, schema: unknown, label: string | undefined): unknown {
  if (label === undefined) return value;
  const properties = (schema as { properties?: Record<string, { enum?: unknown }> } | undefined)?.properties ?? {};
  const name = Object.keys(properties).find((key) => key === 'label' || properties[key]?.enum !== undefined) ?? 'label';
  return { ...(value as object), [name]: label };
}

function toToolCall(rest: string): VendorToolCall {
  const [, name = '', json = '{}'] = rest.match(/^(\S+)\s*([\s\S]*)$/) ?? [];
  const text = json === '' ? '{}' : json;
  try {
    return { name, arguments: JSON.parse(text) };
  } catch {
    return { name, arguments: text };
  }
}

function withFault(text: string, callsWithBody: number): VendorAnswer {
  const times = text.match(/\sx(\d+)$/);
  if (times !== null && callsWithBody > Number(times[1])) return {};
  return { fault: parseFault(text.replace(/\sx\d+$/, '')) };
}

/**
 * A fault by its words: `429`, `429 2` (seconds), `429 date 1500` (milliseconds), `503 a message`, `reset`, `reset middle`,
 * `half`, `endless 1000000`, `silence`, `silence middle`, `redirect URL`, `garbage`, `shape`, `html`, `event`.
 */
export function parseFault(text: string): VendorFault {
  const [word = '', ...rest] = text.trim().split(/\s+/);
  const when = rest[0] === 'middle' ? 'middle' : 'before';
  if (word === '429') {
    if (rest[0] === 'date') return { type: 'rateLimited', retryAfter: { dateInMs: Number(rest[1]) } };
    return rest[0] === undefined ? { type: 'rateLimited' } : { type: 'rateLimited', retryAfter: Number(rest[0]) };
  }
  if (/^\d+$/.test(word)) {
    return { type: 'status', status: Number(word), ...(rest.length === 0 ? {} : { message: rest.join(' ') }) };
  }
  switch (word) {
    case 'reset':
      return { type: 'reset', when };
    case 'silence':
      return { type: 'silence', when };
    case 'half':
      return { type: 'halfEvent' };
    case 'endless':
      return { type: 'endless', bytes: Number(rest[0] ?? 1_000_000_000) };
    case 'redirect':
      return { type: 'redirect', to: rest[0] ?? '' };
    case 'garbage':
      return { type: 'garbage' };
    case 'shape':
      return { type: 'wrongShape' };
    case 'html':
      return { type: 'contentType' };
    case 'event':
      return { type: 'errorEvent' };
    default:
      throw new Error(`The endpoint knows no fault "${text}".`);
  }
}
