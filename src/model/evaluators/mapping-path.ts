import type { ExactJson, ExactJsonObject } from '../../base/exact-json.ts';
import { isJsonObject } from '../../base/exact-json.ts';
import { expectPresent } from '../../base/expect-present.ts';
import { MAPPING_PATH_CHARS_MAX } from '../limits/datasets.ts';

/** A step of a path: a key, an index (from the end if negative), or a slice of a list. */
export type PathStep =
  | { readonly key: string }
  | { readonly index: number }
  | { readonly from: number | undefined; readonly to: number | undefined; readonly by: number };

/**
 * Parses a path into JSON, a subset of JSONPath: an optional `$`, then `.name`, `['any name']`, `[n]`, `[-n]`, `[*]`
 * and `[from:to:by]`.
 *
 * @returns the steps, or the problem
 */
export function parseMappingPath(text: string): readonly PathStep[] | { readonly problem: string } {
  if (text === '') return { problem: 'it is empty' };
  if (text.length > MAPPING_PATH_CHARS_MAX) {
    return { problem: `it has ${text.length} characters; the maximum is ${MAPPING_PATH_CHARS_MAX}` };
  }
  const steps: PathStep[] = [];
  let at = text.startsWith('$') ? 1 : 0;
  if (at === 0) {
    // The first name needs no dot.
    const first = match(NAME, text, 0);
    if (first) {
      steps.push({ key: first[0] });
      at = first[0].length;
    } else if (!text.startsWith('.') && !text.startsWith('[')) return { problem: expected(text, 0, '$, a name or [') };
  }
  while (at < text.length) {
    const step = match(DOTTED, text, at) ?? match(BRACKETED, text, at);
    if (!step) return { problem: problemAt(text, at) };
    const { name, quoted, index, from, to, by } = step.groups ?? {};
    if (by !== undefined && Number(by) === 0) return { problem: 'a slice of step 0 never ends' };
    if (name !== undefined) steps.push({ key: name });
    else if (quoted !== undefined) steps.push({ key: quoted.slice(1, -1).replace(/\\(.)/gsu, '$1') });
    else if (index !== undefined) steps.push({ index: Number(index) });
    else steps.push({ from: toNumber(from), to: toNumber(to), by: toNumber(by) ?? 1 });
    at += step[0].length;
  }
  return steps;
}

/** Every value at the path in order. Only own keys are followed. */
export const valuesAt = (value: ExactJson, steps: readonly PathStep[]): ExactJson[] =>
  steps.reduce<ExactJson[]>((values, step) => values.flatMap((one) => take(one, step)), [value]);

function take(value: ExactJson, step: PathStep): ExactJson[] {
  if ('key' in step) {
    if (!isJsonObject(value) || !Object.hasOwn(value, step.key)) return [];
    return [expectPresent(value[step.key], 'the object has the key')];
  }
  if (Array.isArray(value)) {
    if ('by' in step) return slice(value, step);
    const found = value.at(step.index);
    return found === undefined ? [] : [found];
  }
  // `[*]` of an object means its values.
  return 'by' in step && step.from === undefined && step.to === undefined && isJsonObject(value)
    ? Object.values(value as ExactJsonObject)
    : [];
}

function slice(list: readonly ExactJson[], { from, to, by }: Extract<PathStep, { by: number }>): ExactJson[] {
  const [least, most] = by > 0 ? [0, list.length] : [-1, list.length - 1];
  const indexOf = (bound: number | undefined, otherwise: number) =>
    bound === undefined ? otherwise : Math.min(Math.max(bound < 0 ? bound + list.length : bound, least), most);
  const end = indexOf(to, by > 0 ? most : least);
  const taken: ExactJson[] = [];
  for (let i = indexOf(from, by > 0 ? least : most); by > 0 ? i < end : i > end; i += by)
    taken.push(expectPresent(list[i], 'both bounds are in the list'));
  return taken;
}

const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_-]*/uy;
const DOTTED = /\.(?<name>[\p{L}_][\p{L}\p{M}\p{N}_-]*)/uy;
const BRACKETED =
  /\[(?:(?<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<index>-?\d{1,15})|\*|(?<from>-?\d{1,15})?:(?<to>-?\d{1,15})?(?::(?<by>-?\d{1,15})?)?)\]/suy;

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function problemAt(text: string, at: number): string {
  const rest = text.slice(at);
  if (rest.startsWith('..')) return 'it has "..": name every step';
  if (rest.startsWith('[?')) return 'it has a filter "[?": brackets may contain only names, numbers, * and slices';
  if (/^\[[^\]]*,/.test(rest)) return 'it has several choices in brackets: only one is allowed';
  if (rest.includes('@') && !/^\.[\p{L}_]/u.test(rest)) return 'it has "@", which is only allowed in filters';
  return expected(
    text,
    at,
    rest.startsWith('.') ? 'a letter or _ after the dot' : ".name, ['name'], [number], [*] or a slice",
  );
}

const expected = (text: string, at: number, what: string): string =>
  `at character ${at + 1}: expected ${what}, received "${text.slice(at, at + SHOWN_CHARS)}"`;
const SHOWN_CHARS = 20;

const toNumber = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits);
