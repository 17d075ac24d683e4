import type { ExactJsonObject } from '../../base/exact-json.ts';
import type { BuiltInDefinition, OutputConfig } from '../../model/evaluators/evaluator.ts';

/** Yes or no: the first label is for a match. */
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

/** A number from 0 on, the less the better. */
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
/** Any JSON. */
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
      words: text('Words to look for, separated by commas'),
      text: text('Text to look in'),
      case_sensitive: flag(false, 'Whether the case of letters counts'),
      require_all: flag(false, 'Whether all of the words must be there'),
    }),
  ),
  define(
    'exact_match',
    'Whether two texts are the same',
    verdict,
    inputs(['expected', 'actual'], {
      expected: text('Text that is expected'),
      actual: text('Text that came'),
      case_sensitive: flag(true, 'Whether the case of letters counts'),
    }),
  ),
  define(
    'regex',
    'Whether a regular expression matches a text',
    verdict,
    inputs(['pattern', 'text'], {
      pattern: text('Regular expression'),
      text: text('Text to match'),
      full_match: flag(false, 'Whether all of the text must match'),
    }),
  ),
  define(
    'levenshtein_distance',
    'How many characters must be inserted, deleted or replaced to make one text the other',
    distance,
    inputs(['expected', 'actual'], {
      expected: text('Text that is expected'),
      actual: text('Text that came'),
      case_sensitive: flag(true, 'Whether the case of letters counts'),
    }),
  ),
  define(
    'json_distance',
    'In how many places two JSON values differ',
    distance,
    inputs(['expected', 'actual'], {
      expected: any('Value that is expected'),
      actual: any('Value that came'),
      parse_strings: flag(true, 'Whether texts are read as JSON first'),
    }),
  ),
];
