import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type ExactJson, type ExactJsonObject, JsonDepthError, JsonSyntaxError } from '../../../../base/exact-json.ts';
import { ownValue } from '../../../../base/own-value.ts';
import { parseExactJsonYielding } from '../../../../base/parse-exact-json.ts';
import {
  EVALUATION_SLICE_MS,
  EXPLAINED_CHARS_MAX,
  JSON_DISTANCE_CHARS_MAX,
  SEARCHED_WORD_CHARS_MAX,
  SEARCHED_WORD_COUNT_MAX,
} from '../../../../model/limits/evaluators.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../../model/limits/reads.ts';
import type { Ports } from '../../../ports.ts';
import { invalid } from '../../input-mapping.ts';
import type { EvaluationRun } from '../evaluator-step.ts';
import { editDistance } from './edit-distance.ts';
import { jsonDistance } from './json-distance.ts';

/** What a built-in evaluator finds: whether something matches, or a distance. */
export type BuiltInFinding =
  | { readonly isMatch: boolean; readonly explanation: string }
  | { readonly distance: number; readonly explanation: string };

export type BuiltInPorts = Pick<Ports, 'regexes'>;

type BuiltInRun = Pick<EvaluationRun, 'signal' | 'owner'>;

type Rule = (inputs: Inputs, run: BuiltInRun, ports: BuiltInPorts) => BuiltInFinding | Promise<BuiltInFinding>;

/**
 * Runs a built-in evaluator on inputs that its schema allows.
 *
 * @throws {SpandrelError} `EVALUATOR_INVALID` when the inputs cannot be evaluated
 */
export async function runBuiltIn(
  ports: BuiltInPorts,
  key: string,
  inputs: ExactJsonObject,
  run: BuiltInRun,
): Promise<BuiltInFinding> {
  const rule = ownValue(RULES, key) ?? invalid(`The built-in evaluator '${key}' does not exist`);
  return rule(new Inputs(inputs), run, ports);
}

/** Inputs with the types of the schema. */
class Inputs {
  readonly #values: ExactJsonObject;
  constructor(values: ExactJsonObject) {
    this.#values = values;
  }

  any(name: string): ExactJson {
    return ownValue(this.#values, name) ?? null;
  }

  text(name: string): string {
    return this.any(name) as string;
  }

  flag(name: string, isOnByDefault: boolean): boolean {
    const value = this.any(name);
    return value === null ? isOnByDefault : (value as boolean);
  }

  /** Two texts, in lower case unless the case counts. */
  texts(first: string, second: string, caseCounts: boolean): [string, string] {
    const fold = (text: string) => (caseCounts ? text : text.toLowerCase());
    return [fold(this.text(first)), fold(this.text(second))];
  }
}

const RULES: Readonly<Record<string, Rule>> = {
  async contains(inputs, { signal }) {
    const caseCounts = inputs.flag('case_sensitive', false);
    const [wordList, text] = inputs.texts('words', 'text', caseCounts);
    const words = wordList.split(',').flatMap((word) => word.trim() || []);
    if (words.length === 0) return { isMatch: false, explanation: 'No words to search for were given.' };
    const found = await findWords(words, text, signal);
    const missing = words.filter((word) => !found.includes(word));
    if (inputs.flag('require_all', false)) {
      if (missing.length === 0) return { isMatch: true, explanation: `The text contains all words: ${show(words)}.` };
      return { isMatch: false, explanation: `The text does not contain all words: ${show(missing)} not found.` };
    }
    if (found.length > 0) return { isMatch: true, explanation: `The text contains ${show(found)}.` };
    return { isMatch: false, explanation: `The text contains none of the words ${show(words)}.` };
  },
  exact_match(inputs) {
    const caseCounts = inputs.flag('case_sensitive', true);
    const [expected, actual] = inputs.texts('expected', 'actual', caseCounts);
    const isMatch = expected === actual;
    const how = caseCounts ? '' : ' apart from upper and lower case';
    if (isMatch) return { isMatch, explanation: `The actual text equals the expected text${how}.` };
    const [wanted, received] = [show([inputs.text('expected')]), show([inputs.text('actual')])];
    return { isMatch, explanation: `The texts differ${how}: expected ${wanted}, received ${received}.` };
  },
  async regex(inputs, { signal, owner }, { regexes }) {
    const pattern = inputs.text('pattern');
    const isFull = inputs.flag('full_match', false);
    const match = await regexes.match(pattern, inputs.text('text'), { isFull, owner }, signal);
    if (!match.ok) return invalid(match.problem);
    const { isMatch } = match;
    const what = isFull ? 'the whole text' : 'a part of the text';
    const explanation = `The regular expression ${show([pattern])} ${isMatch ? 'matches' : 'does not match'} ${what}.`;
    return { isMatch, explanation };
  },
  async levenshtein_distance(inputs, { signal }) {
    const caseCounts = inputs.flag('case_sensitive', true);
    const [expected, actual] = inputs.texts('expected', 'actual', caseCounts);
    const distance = await editDistance(expected, actual, signal);
    const edits = distance === 1 ? '1 edit turns' : `${distance} edits turn`;
    return { distance, explanation: `${edits} the expected text into the actual text.` };
  },
  async json_distance(inputs, { signal }) {
    const parsesTexts = inputs.flag('parse_strings', true);
    const [expected, actual] = [inputs.any('expected'), inputs.any('actual')];
    const distance = await jsonDistance(
      parsesTexts ? await parse('expected', expected) : expected,
      parsesTexts ? await parse('actual', actual) : actual,
      signal,
    );
    const differences = distance === 1 ? '1 difference' : `${distance} differences`;
    return { distance, explanation: `The JSON values have ${distance === 0 ? 'no differences' : differences}.` };
  },
};

/** The words that a text contains. Yields to the event loop. */
async function findWords(words: readonly string[], text: string, signal: AbortSignal): Promise<string[]> {
  if (words.length > SEARCHED_WORD_COUNT_MAX) {
    return invalid(`${words.length} words are too many to search for; the maximum is ${SEARCHED_WORD_COUNT_MAX}`);
  }
  const found: string[] = [];
  let sliceStart = performance.now();
  for (const word of words) {
    if (word.length > SEARCHED_WORD_CHARS_MAX) {
      invalid(`A word has ${word.length} characters; the maximum is ${SEARCHED_WORD_CHARS_MAX}`);
    }
    if (text.includes(word)) found.push(word);
    if (performance.now() - sliceStart > EVALUATION_SLICE_MS) {
      await yieldToOthers();
      signal.throwIfAborted();
      sliceStart = performance.now();
    }
  }
  return found;
}

/** The JSON of a text. Other values are JSON already. */
async function parse(input: string, value: ExactJson): Promise<ExactJson> {
  if (typeof value !== 'string') return value;
  if (value.length > JSON_DISTANCE_CHARS_MAX) {
    return invalid(
      `The input '${input}' has ${value.length} characters of JSON; the maximum is ${JSON_DISTANCE_CHARS_MAX}`,
    );
  }
  try {
    return await parseExactJsonYielding(() => [value], { depthMax: BODY_JSON_DEPTH_MAX });
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonDepthError) {
      return invalid(`The input '${input}' is not valid JSON: ${error.message}`);
    }
    throw error;
  }
}

/** Texts in quotation marks, cut at a limit. */
function show(texts: readonly string[]): string {
  const shown = texts.map(
    (text) => `"${text.slice(0, EXPLAINED_CHARS_MAX)}${text.length > EXPLAINED_CHARS_MAX ? '…' : ''}"`,
  );
  const list = shown.join(', ');
  return list.length > EXPLAINED_LIST_CHARS_MAX ? `${list.slice(0, EXPLAINED_LIST_CHARS_MAX)}…` : list;
}

/** Characters of a list of words in an explanation. */
const EXPLAINED_LIST_CHARS_MAX = 10 * EXPLAINED_CHARS_MAX;
