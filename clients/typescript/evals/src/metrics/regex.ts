import { createContext, Script } from 'node:vm';
import { ArgumentError, InputError } from '../errors.ts';
import { REGEX_CHARS_MAX, REGEX_MS_MAX, REGEX_TEXT_CHARS_MAX } from './limits.ts';

/** A regular expression whose applications end: one that backtracks for too long is stopped. */
export interface BoundedRegex {
  /** Number of matches in a text. */
  count(text: string): number;
  /** Whether it matches the whole text. */
  matchesWhole(text: string): boolean;
}

/**
 * @param msMax milliseconds of one application
 * @throws {ArgumentError} for a pattern that is too long, or no regular expression of JavaScript
 */
export function compileRegex(pattern: string | RegExp, msMax = REGEX_MS_MAX): BoundedRegex {
  const [source, flags] = pattern instanceof RegExp ? [pattern.source, pattern.flags] : [pattern, 'u'];
  if (source.length > REGEX_CHARS_MAX) {
    throw new ArgumentError(
      `Expected a regular expression of at most ${REGEX_CHARS_MAX} characters, received ${source.length}.`,
    );
  }
  const global = `${flags.replace(/[gy]/g, '')}g`;
  let part: RegExp;
  let whole: RegExp;
  try {
    part = new RegExp(source, global);
    whole = new RegExp(`^(?:${source})$`, global.replace('m', ''));
  } catch (error) {
    throw new ArgumentError(`Expected a regular expression of JavaScript: ${(error as Error).message}.`);
  }
  return {
    count: (text) => (isHarmless(source) ? countMatches(part, text) : runBounded(part, text, msMax)),
    matchesWhole: (text) => (isHarmless(source) ? countMatches(whole, text) : runBounded(whole, text, msMax)) > 0,
  };
}

/** Without repetition and without references, a match takes a step per character of the pattern, for each of the text. */
const isHarmless = (source: string): boolean => !/[*+{\\?|]/.test(source);

function countMatches(regex: RegExp, text: string): number {
  checkLength(text);
  regex.lastIndex = 0;
  let count = 0;
  for (let match = regex.exec(text); match; match = regex.exec(text)) {
    count++;
    // An empty match would be found again.
    if (match[0] === '') regex.lastIndex++;
  }
  return count;
}

/** The engine of V8 has no limit of its own, but code in a context can be stopped, also within a match. */
function runBounded(regex: RegExp, text: string, msMax: number): number {
  checkLength(text);
  SCOPE.count = () => countMatches(regex, text);
  try {
    return SCRIPT.runInContext(CONTEXT, { timeout: msMax }) as number;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new InputError(
      `The regular expression ${regex.source} took longer than ${msMax} ms on a text of ${text.length} characters. Avoid repetitions within repetitions.`,
    );
  }
}

const SCOPE: { count?: () => number } = {};
const CONTEXT = createContext(SCOPE);
const SCRIPT = new Script('count()');

function checkLength(text: string): void {
  if (text.length <= REGEX_TEXT_CHARS_MAX) return;
  throw new InputError(`Expected a string of at most ${REGEX_TEXT_CHARS_MAX} characters, received ${text.length}.`);
}
