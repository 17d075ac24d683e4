import { type ExactJson, type ExactJsonObject, isJsonObject, newJsonObject } from '../../base/exact-json.ts';
import { MAPPED_SIDES, type MappedField, type SpanMapping } from '../../model/dataset-source.ts';
import { SpandrelError } from '../../model/errors.ts';
import { parseMappingPath, valuesAt } from '../../model/evaluators/mapping-path.ts';
import { MAPPED_FIELD_COUNT_MAX, MAPPED_NAME_CHARS_MAX } from '../../model/limits/datasets.ts';
import { joinAttributeParts } from '../../model/spans/nested-attributes.ts';
import type { SpanBody, SpanRow } from '../../model/spans/span.ts';
import type { ExampleObjects } from '../datasets/content-hash.ts';
import { toSpanExample } from '../datasets/span-example.ts';

/** A span as the source of an example. */
export interface SpanContent {
  readonly row: SpanRow;
  readonly body: SpanBody;
  /** Annotations by name. */
  readonly annotations: ExactJsonObject | undefined;
}

/** Content of an example, and the paths that lead to no value in the span. */
export interface MappedExample extends ExampleObjects {
  readonly missingPaths: readonly string[];
}

/**
 * Makes the content of an example from a span. A path begins at `input`, `output` or `metadata` of the contract's rule, at
 * `attributes`, `annotations` or `span`. A path without a value adds no field; several values are a list.
 */
export function mapSpan({ row, body, annotations }: SpanContent, mapping: SpanMapping): MappedExample {
  const example = toSpanExample(row, body, annotations);
  if (MAPPED_SIDES.every((side) => mapping[side] === null)) return { ...example, missingPaths: [] };
  const context = newJsonObject();
  context.input = example.input;
  context.output = example.output;
  context.metadata = example.metadata;
  context.attributes = joinAttributeParts(body.attributeParts);
  context.annotations = annotations ?? newJsonObject();
  context.span = toSpanObject(row);
  const missingPaths: string[] = [];
  const side = (name: (typeof MAPPED_SIDES)[number]) =>
    mapping[name] === null ? example[name] : mapFields(name, mapping[name], context, missingPaths);
  return { input: side('input'), output: side('output'), metadata: side('metadata'), missingPaths };
}

function mapFields(
  side: string,
  fields: readonly MappedField[],
  context: ExactJsonObject,
  missingPaths: string[],
): ExactJsonObject {
  const mapped = newJsonObject();
  for (const { name, path } of fields) {
    const steps = parseMappingPath(path);
    const [value, ...others] = 'problem' in steps ? [] : valuesAt(context, steps);
    if (value === undefined) missingPaths.push(path);
    else if (others.length > 0) mapped[name || side] = [value, ...others];
    else if (name !== '') mapped[name] = value;
    else if (isJsonObject(value)) for (const [key, member] of Object.entries(value)) mapped[key] = member;
    else mapped[side] = value;
  }
  return mapped;
}

function toSpanObject(row: SpanRow): ExactJsonObject {
  const span = newJsonObject();
  const fields: Readonly<Record<string, ExactJson>> = {
    name: row.name,
    kind: row.spanKind,
    span_id: row.spanId,
    trace_id: row.traceId,
    status_code: row.statusCode,
    status_message: row.statusMessage,
  };
  for (const [key, value] of Object.entries(fields)) span[key] = value;
  return span;
}

/** Validates a received mapping. @throws {SpandrelError} `QUERY_INVALID` */
export function checkSpanMapping(mapping: SpanMapping): SpanMapping {
  for (const side of MAPPED_SIDES) {
    const fields = mapping[side] ?? [];
    if (fields.length > MAPPED_FIELD_COUNT_MAX) {
      invalid(`The ${side} has ${fields.length} fields; the maximum is ${MAPPED_FIELD_COUNT_MAX}`);
    }
    const names = new Set<string>();
    for (const { name, path } of fields) {
      if (name.length > MAPPED_NAME_CHARS_MAX) {
        invalid(
          `A field of the ${side} has a name of ${name.length} characters; the maximum is ${MAPPED_NAME_CHARS_MAX}`,
        );
      }
      if (name !== '' && names.has(name)) invalid(`The ${side} has two fields named '${name}'`);
      names.add(name);
      const steps = parseMappingPath(path);
      if ('problem' in steps) invalid(`The path of the ${side} field '${name}' cannot be read: ${steps.problem}`);
    }
  }
  return mapping;
}

const invalid = (message: string): never => {
  throw new SpandrelError('QUERY_INVALID', message);
};
