import { type ExactJson, type ExactJsonObject, isJsonObject, newJsonObject } from '../../base/exact-json.ts';
import { authorOf } from '../../model/access/caller.ts';
import { UPLOAD_ACTIONS, type UploadAction, type UploadResult } from '../../model/dataset.ts';
import type { Ports } from '../ports.ts';
import { type ExampleRowIdOf, type IncomingExample, toBatches, toSplitNames } from './incoming-example.ts';
import { checkIndexed, typeName, uploadInvalid } from './upload-invalid.ts';

/**
 * Uploads examples in the form of parallel lists: `{action?, name, description?, inputs, outputs?, metadata?, splits?,
 * span_ids?, example_ids?}`.
 *
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` with the reason, and like `uploadExamples`
 */
export async function uploadJson(
  ports: Pick<Ports, 'datasets' | 'spans' | 'uploads' | 'caller'>,
  body: ExactJson,
  exampleRowIdOf: ExampleRowIdOf,
): Promise<UploadResult> {
  if (!isJsonObject(body)) throw uploadInvalid('The body must be a JSON object');
  const action = readAction(body.action);
  const name = readName(body.name, 'Dataset name is required');
  const examples = readExamples(body);
  return ports.uploads.run(() =>
    ports.datasets.upload({
      action,
      name,
      description: typeof body.description === 'string' ? body.description : '',
      examples: toBatches([examples], ports.spans, exampleRowIdOf),
      isPlain: examples.every(({ id, spanId, splits }) => id === null && spanId === null && splits.length === 0),
      providesSplits: body.splits != null,
      userId: authorOf(ports.caller),
    }),
  );
}

/** Case is ignored. Default: `create`. */
export function readAction(value: ExactJson | undefined): UploadAction {
  if (value === undefined || value === null) return 'create';
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  const action = UPLOAD_ACTIONS.find((known) => known === word);
  // The misspelling is part of the contract, because public clients search for it.
  if (!action) throw uploadInvalid(`Invalid dateset action: ${typeof value === 'string' ? value : typeName(value)}`);
  return action;
}

export function readName(value: ExactJson | undefined, whenEmpty: string): string {
  if (typeof value !== 'string' || value === '') throw uploadInvalid(whenEmpty);
  return checkIndexed('a dataset name', value);
}

function readExamples(body: ExactJsonObject): IncomingExample[] {
  const { inputs } = body;
  if (inputs === undefined || inputs === null) throw uploadInvalid('input is required');
  if (!Array.isArray(inputs) || !inputs.every(isJsonObject)) {
    throw uploadInvalid('Input should be a list containing only dictionary objects');
  }
  const count = inputs.length;
  const outputs = readObjects(body.outputs, 'outputs', count);
  const metadata = readObjects(body.metadata, 'metadata', count);
  const splits = readList(body.splits, 'splits', count)?.map(readSplitsOf);
  const spanIds = readList(body.span_ids, 'span_ids', count)?.map(readSpanId);
  const ids = readList(body.example_ids, 'example_ids', count);
  return inputs.map((input, index) => ({
    input,
    output: outputs?.[index] ?? newJsonObject(),
    metadata: metadata?.[index] ?? newJsonObject(),
    splits: splits?.[index] ?? [],
    spanId: spanIds?.[index] ?? null,
    id: readExampleId(ids?.[index] ?? null),
  }));
}

function readObjects(value: ExactJson | undefined, what: string, count: number): ExactJsonObject[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.length === count && value.every(isJsonObject)) return value;
  throw uploadInvalid(`${what} should be a list of same length as input containing only dictionary objects`);
}

function readList(value: ExactJson | undefined, what: string, count: number): ExactJson[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw uploadInvalid(`${what} must be a list`);
  if (value.length === count) return value;
  throw uploadInvalid(`${what} must have same length as inputs (${value.length} != ${count})`);
}

function readSplitsOf(value: ExactJson): string[] {
  if (value === null || typeof value === 'string') return toSplitNames([value]);
  if (Array.isArray(value)) return toSplitNames(value);
  throw uploadInvalid(`Split value must be a string, list of strings, or None, got ${typeName(value)}`);
}

function readSpanId(value: ExactJson): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') throw uploadInvalid(`Span ID must be a string or None, got ${typeName(value)}`);
  return value.trim() || null;
}

function readExampleId(value: ExactJson): string | null {
  if (value === null || value === '') return null;
  if (typeof value !== 'string') throw uploadInvalid('example_ids must contain only strings or None');
  return value;
}
