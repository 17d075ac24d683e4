import { InputError } from '../../errors.ts';
import { checkSchema } from '../json/check-schema.ts';
import { jsonDistance } from '../json/json-distance.ts';
import { checkBySchema } from '../json/json-schema.ts';
import { parseJson } from '../json/json-value.ts';
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
      const parsed = tryParse(readText(record, 'output'));
      return toVerdict(parsed.isJson, parsed.isJson ? 'The text is JSON.' : parsed.problem);
    },
  });

export const validJson = (text: string): boolean => tryParse(text).isJson;

export interface JsonSchemaOptions extends CodeMetricOptions {
  /** JSON Schema, draft 2020-12. A keyword that is not supported is rejected. */
  readonly schema: unknown;
}

/** Whether `output`, a JSON value or a text of JSON, fits a schema. @throws {ArgumentError} for a schema that cannot be used */
export function createJsonSchemaEvaluator({ schema, ...options }: JsonSchemaOptions): CodeMetric {
  checkSchema(schema);
  return defineMetric(options, {
    name: 'json_schema',
    settings: { schema },
    measure(record) {
      const output = readField(record, 'output');
      const parsed = typeof output === 'string' ? tryParse(output) : { isJson: true as const, value: output };
      if (!parsed.isJson) return toVerdict(false, parsed.problem);
      const found = checkBySchema(schema, parsed.value);
      if (!found) return toVerdict(true, 'The value fits the schema.');
      return toVerdict(false, `${found.path === '' ? 'The value' : `At ${found.path}`}: ${found.problem}.`);
    },
  });
}

type Parsed = { readonly isJson: true; readonly value: unknown } | { readonly isJson: false; readonly problem: string };

function tryParse(text: string): Parsed {
  try {
    return { isJson: true, value: parseJson(text, 'output') };
  } catch (error) {
    if (error instanceof InputError) return { isJson: false, problem: error.message };
    throw error;
  }
}

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
