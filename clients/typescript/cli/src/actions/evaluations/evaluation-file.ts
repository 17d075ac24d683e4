import { readFileSync, statSync } from 'node:fs';
import { parse, YAMLParseError } from 'yaml';
import { UsageError } from '../../command-line/command.ts';
import { describeFileError } from '../../output/file-error.ts';

/** What the file of `eval run` says. */
export interface EvaluationFile {
  /** Identifier of the annotations. */
  readonly name: string;
  readonly project: string | undefined;
  readonly filter: string | undefined;
  readonly rootSpansOnly: boolean;
  readonly sample: number | undefined;
  readonly limit: number | undefined;
  readonly model: ModelEntry | undefined;
  readonly evaluators: readonly EvaluatorEntry[];
  /** Project of the judges' traces; null for none. */
  readonly judgesProject: string | null | undefined;
  readonly concurrency: number | undefined;
  readonly maxCost: number | undefined;
  readonly cache: string | undefined;
}

export interface ModelEntry {
  readonly provider: string;
  readonly name: string;
  readonly baseUrl: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface EvaluatorEntry {
  readonly name: string | undefined;
  readonly judge: string | undefined;
  readonly metric: string | undefined;
  readonly prompt: string | undefined;
  readonly choices: Readonly<Record<string, number>> | undefined;
  readonly direction: string | undefined;
  /** Field → key of the span or JSONPath. */
  readonly inputs: Readonly<Record<string, string>> | undefined;
  /** Options of a metric, and `criteria` of the judge of this name. */
  readonly options: Readonly<Record<string, unknown>>;
}

const FILE_BYTES_MAX = 1_000_000;
const EVALUATOR_COUNT_MAX = 50;

type Fields = Readonly<Record<string, unknown>>;

/** @throws {UsageError} that names the file and the key */
export function readEvaluationFile(path: string): EvaluationFile {
  const fail = (problem: string): never => {
    throw new UsageError(`${path}: ${problem}`);
  };
  const top = toFields(parseFile(path, fail), 'the file', fail);
  checkKeys(
    top,
    [
      'name',
      'project',
      'filter',
      'rootSpansOnly',
      'sample',
      'limit',
      'model',
      'evaluators',
      'judgesProject',
      'concurrency',
      'maxCost',
      'cache',
    ],
    '',
    fail,
  );
  const read = readerOf(top, '', fail);
  const evaluators = top.evaluators;
  if (!Array.isArray(evaluators) || evaluators.length === 0)
    return fail('evaluators must be a list of names or objects, such as [faithfulness].');
  if (evaluators.length > EVALUATOR_COUNT_MAX)
    return fail(`evaluators has ${evaluators.length} entries, and at most ${EVALUATOR_COUNT_MAX} are allowed.`);
  return {
    name: read.text('name') ?? fail('name is missing: it is the identifier of the annotations.'),
    project: read.text('project'),
    filter: read.text('filter'),
    rootSpansOnly: read.truth('rootSpansOnly') ?? false,
    sample: read.number('sample'),
    limit: read.number('limit'),
    model: top.model === undefined ? undefined : toModelEntry(top.model, fail),
    evaluators: evaluators.map((entry, index) => toEvaluatorEntry(entry, `evaluators[${index}]`, fail)),
    judgesProject: top.judgesProject === null || top.judgesProject === false ? null : read.text('judgesProject'),
    concurrency: read.number('concurrency'),
    maxCost: read.number('maxCost'),
    cache: read.text('cache'),
  };
}

type Fail = (problem: string) => never;

function parseFile(path: string, fail: Fail): unknown {
  try {
    if (statSync(path).size > FILE_BYTES_MAX) return fail(`the file has more than ${FILE_BYTES_MAX} bytes.`);
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof YAMLParseError)
      return fail(
        `this is not valid YAML: ${error.message.split('\n')[0]?.replace(/:$/, '')}. Texts with brackets need quotes.`,
      );
    throw new UsageError(describeFileError(error as NodeJS.ErrnoException, path));
  }
}

function toModelEntry(value: unknown, fail: Fail): ModelEntry {
  const fields = toFields(value, 'model', fail);
  checkKeys(fields, ['provider', 'name', 'baseUrl', 'parameters'], 'model.', fail);
  const read = readerOf(fields, 'model.', fail);
  return {
    provider:
      read.text('provider') ??
      fail('model.provider is missing: openai, azure, anthropic, google or openai-compatible.'),
    name: read.text('name') ?? fail('model.name is missing.'),
    baseUrl: read.text('baseUrl'),
    parameters: fields.parameters === undefined ? {} : toFields(fields.parameters, 'model.parameters', fail),
  };
}

function toEvaluatorEntry(value: unknown, place: string, fail: Fail): EvaluatorEntry {
  const fields = typeof value === 'string' ? { use: value } : toFields(value, place, fail);
  checkKeys(
    fields,
    ['use', 'name', 'judge', 'metric', 'prompt', 'choices', 'direction', 'inputs', 'options'],
    `${place}.`,
    fail,
  );
  const read = readerOf(fields, `${place}.`, fail);
  const use = read.text('use');
  const texts = (key: string) => {
    if (fields[key] === undefined) return undefined;
    const entries = Object.entries(toFields(fields[key], `${place}.${key}`, fail));
    const wrong = entries.find(([, each]) => typeof each !== 'string');
    if (wrong) return fail(`${place}.${key}.${wrong[0]} must be a string.`);
    return Object.fromEntries(entries) as Record<string, string>;
  };
  const numbers = (key: string) => {
    if (fields[key] === undefined) return undefined;
    const entries = Object.entries(toFields(fields[key], `${place}.${key}`, fail));
    const wrong = entries.find(([, each]) => typeof each !== 'number');
    if (wrong) return fail(`${place}.${key}.${wrong[0]} must be a number.`);
    return Object.fromEntries(entries) as Record<string, number>;
  };
  const judge = read.text('judge');
  const metric = read.text('metric');
  const prompt = read.text('prompt');
  if ([use, judge, metric, prompt].filter((each) => each !== undefined).length !== 1) {
    return fail(`${place} needs one of judge, metric and prompt.`);
  }
  return {
    name: read.text('name'),
    judge,
    metric: metric,
    prompt,
    choices: numbers('choices'),
    direction: read.text('direction'),
    inputs: texts('inputs'),
    options: {
      ...(fields.options !== undefined && toFields(fields.options, `${place}.options`, fail)),
      ...(use !== undefined && { use }),
    },
  };
}

function toFields(value: unknown, what: string, fail: Fail): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  return fail(`${what} must be a mapping of keys to values.`);
}

function checkKeys(fields: Fields, known: readonly string[], prefix: string, fail: Fail): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined) fail(`there is no key ${prefix}${unknown}; known are ${known.join(', ')}.`);
}

function readerOf(fields: Fields, prefix: string, fail: Fail) {
  const read = <Value>(key: string, type: string, expected: string): Value | undefined => {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (value === undefined || value === null) return undefined;
    if (typeof value !== type || value === '')
      return fail(`${prefix}${key} must be ${expected}, received ${JSON.stringify(value)}.`);
    return value as Value;
  };
  return {
    text: (key: string) => read<string>(key, 'string', 'a text'),
    number: (key: string) => read<number>(key, 'number', 'a number'),
    truth: (key: string) => read<boolean>(key, 'boolean', 'true or false'),
  };
}
