import { jsonDistance } from '../json/json-distance.ts';
import { parseJson, tryParseJson } from '../json/json-value.ts';
import {
  type CodeMetric,
  type CodeMetricOptions,
  defineMetric,
  readField,
  readText,
  toVerdict,
} from './code-metric.ts';

/** Whether the text `output` is JSON. */
export const createValidJsonEvaluator = (options: CodeMetricOptions = {}): CodeMetric =>
  defineMetric(options, {
    name: 'json_valid',
    measure(record) {
      const parsed = tryParseJson(readText(record, 'output'));
      return toVerdict(parsed.isJson, parsed.isJson ? 'The text is JSON.' : parsed.problem);
    },
  });

export const validJson = (text: string): boolean => tryParseJson(text).isJson;

export interface JsonDistanceOptions extends CodeMetricOptions {
  /** Whether texts are parsed as JSON. True by default. */
  readonly parseStrings?: boolean;
}

/** Number of differences between the JSON values `output` and `expected`. Lower is better. */
export const createJsonDistanceEvaluator = ({
  parseStrings = true,
  ...options
}: JsonDistanceOptions = {}): CodeMetric =>
  defineMetric(options, {
    name: 'json_distance',
    direction: 'MINIMIZE',
    settings: { parseStrings },
    measure(record) {
      const read = (name: string) => {
        const value = readField(record, name);
        return parseStrings && typeof value === 'string' ? parseJson(value, name) : value;
      };
      return { score: jsonDistance(read('expected'), read('output')) };
    },
  });
