import { COMPARISON_OUTPUT_CHARS_MAX, COMPARISON_TEXT_CHARS_MAX } from '../../../model/limits/comparisons.ts';

/** The beginning of a JSON value for people. A text has no quotes and no escapes. */
export interface ComparisonText {
  readonly text: string;
  readonly isCut: boolean;
  readonly isJson: boolean;
}

/** @param json text of a JSON value, which may be cut off anywhere */
export function toComparisonText(json: string, charsMax = COMPARISON_TEXT_CHARS_MAX): ComparisonText {
  const text = json.startsWith('"') ? readText(json) : json;
  return { text: text.slice(0, charsMax), isCut: text.length > charsMax, isJson: text === json };
}

/** A JSON text without quotes. Of one that is cut off, the part before the cut. */
function readText(json: string): string {
  const whole = tryParse(json);
  if (typeof whole === 'string') return whole;
  // An escape at the end may be incomplete: \, \u, \u1, \u12 or \u123 after an even number of backslashes.
  const partial = /(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$/.exec(json);
  const safe = partial?.[1] === undefined ? json : json.slice(0, -partial[1].length);
  const cut = tryParse(`${safe}"`);
  return typeof cut === 'string' ? cut : json;
}

function tryParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Names of the tools that an output calls, in the forms of the vendors. Empty for an output that is cut off. */
export function findToolCalls(json: string): string[] {
  if (json.length >= COMPARISON_OUTPUT_CHARS_MAX || !/tool|function/i.test(json)) return [];
  const names: string[] = [];
  collect(tryParse(json), names, 0);
  return names;
}

/** Nesting and number of calls that are searched. */
const DEPTH_MAX = 20;
const CALL_COUNT_MAX = 50;

function collect(value: unknown, names: string[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX || names.length >= CALL_COUNT_MAX) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, names, depth + 1);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if ((key === 'tool_calls' || key === 'toolCalls') && Array.isArray(member)) {
      for (const call of member) names.push(...nameOf(call));
    } else if (key === 'type' && (member === 'tool_use' || member === 'function_call')) names.push(...nameOf(value));
    else collect(member, names, depth + 1);
  }
}

function nameOf(call: unknown): string[] {
  const { name, toolName, function: called } = (call ?? {}) as Record<string, unknown>;
  const found = name ?? toolName ?? (called as { name?: unknown } | null | undefined)?.name;
  return typeof found === 'string' ? [found.slice(0, 200)] : [];
}
