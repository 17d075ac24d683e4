import { type CodeMetric, type CodeMetricOptions, defineMetric, readField, toVerdict } from '../code/code-metric.ts';
import { tryParseJson } from '../json/json-value.ts';
import { compileSchema } from './compile-schema.ts';

export interface JsonSchemaOptions extends CodeMetricOptions {
  /** JSON Schema, draft 2020-12. An unknown keyword is rejected. */
  readonly schema: unknown;
}

/** Whether `output`, a JSON value or a text of JSON, fits a schema. @throws {ArgumentError} for a schema that cannot be used */
export function createJsonSchemaEvaluator({ schema, ...options }: JsonSchemaOptions): CodeMetric {
  const findProblem = compileSchema(schema);
  return defineMetric(options, {
    name: 'json_schema',
    settings: { schema },
    measure(record) {
      const output = readField(record, 'output');
      const parsed = typeof output === 'string' ? tryParseJson(output) : { isJson: true as const, value: output };
      if (!parsed.isJson) return toVerdict(false, parsed.problem);
      const found = findProblem(parsed.value);
      if (!found) return toVerdict(true, 'The value fits the schema.');
      return toVerdict(false, `${found.path === '' ? 'The value' : `At ${found.path}`}: ${found.problem}.`);
    },
  });
}
