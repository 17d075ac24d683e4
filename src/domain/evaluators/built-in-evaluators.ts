import type { ExactJsonObject } from '../../base/exact-json.ts';
import type { BuiltInDefinition, OutputConfig } from '../../model/evaluators/evaluator.ts';

/** Yes or no. The first label is for a match. */
const verdict = (name: string): OutputConfig => ({
  type: 'CATEGORICAL',
  name,
  description: null,
  optimizationDirection: 'MAXIMIZE',
  values: [
    { label: 'true', score: 1 },
    { label: 'false', score: 0 },
  ],
});

/** A number of at least 0; lower is better. */
const distance = (name: string): OutputConfig => ({
  type: 'CONTINUOUS',
  name,
  description: null,
  optimizationDirection: 'MINIMIZE',
  lowerBound: 0,
  upperBound: null,
});

const text = (description: string): ExactJsonObject => ({ type: 'string', description });
const flag = (isOn: boolean, description: string): ExactJsonObject => ({ type: 'boolean', default: isOn, description });
/** Any JSON value. */
const any = (description: string): ExactJsonObject => ({ description });

const inputs = (required: readonly string[], properties: ExactJsonObject): ExactJsonObject => ({
  type: 'object',
  properties,
  required: [...required],
});

const define = (
  key: string,
  description: string,
  output: (name: string) => OutputConfig,
  inputSchema: ExactJsonObject,
): BuiltInDefinition => ({ key, description, inputSchema, outputConfigs: [output(key)] });

/** Every built-in evaluator. */
export const BUILT_IN_EVALUATORS: readonly BuiltInDefinition[] = [
  define(
    'contains',
    'Whether a text contains any of the given words, or all of them',
    verdict,
    inputs(['words', 'text'], {
      words: text('Words to search for, separated by commas'),
      text: text('Text to search'),
      case_sensitive: flag(false, 'Whether the comparison is case-sensitive'),
      require_all: flag(false, 'Whether all of the words must occur'),
    }),
  ),
  define(
    'exact_match',
    'Whether two texts are the same',
    verdict,
    inputs(['expected', 'actual'], {
      expected: text('Expected text'),
      actual: text('Actual text'),
      case_sensitive: flag(true, 'Whether the comparison is case-sensitive'),
    }),
  ),
  define(
    'regex',
    'Whether a regular expression matches a text',
    verdict,
    inputs(['pattern', 'text'], {
      pattern: text('Regular expression'),
      text: text('Text to match'),
      full_match: flag(false, 'Whether the whole text must match'),
    }),
  ),
  define(
    'levenshtein_distance',
    'Number of characters that must be inserted, deleted or replaced to turn one text into the other',
    distance,
    inputs(['expected', 'actual'], {
      expected: text('Expected text'),
      actual: text('Actual text'),
      case_sensitive: flag(true, 'Whether the comparison is case-sensitive'),
    }),
  ),
  define(
    'json_distance',
    'Number of differences between two JSON values',
    distance,
    inputs(['expected', 'actual'], {
      expected: any('Expected value'),
      actual: any('Actual value'),
      parse_strings: flag(true, 'Whether texts are parsed as JSON first'),
    }),
  ),
];
