import { bodyOf, type CallOptions, clientOf, type SpandrelClient } from '../client.ts';
import type { NewDataset } from '../generated/api.ts';
import { AnswerError, ArgumentError, HttpError } from '../http/errors.ts';
import { toJsonValue } from '../http/json-value.ts';
import { type DatasetSelector, findDataset, requireIdentifier } from './dataset-selector.ts';

/** An example to store. An example that was read can be given again. */
export interface ExampleInput {
  readonly input: Readonly<Record<string, unknown>>;
  readonly output?: Readonly<Record<string, unknown>> | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly splits?: string | readonly (string | null)[] | null;
  /** OpenTelemetry ID of the span that it was made of. */
  readonly spanId?: string | null;
  /** Identifies the example in later uploads. */
  readonly id?: string | null;
  /** Global ID of an example that was read; an equal `id` is not sent. */
  readonly nodeId?: string;
}

/**
 * Creates a dataset, or makes the dataset of this name have these examples: equal ones stay, others are changed, added or
 * deleted.
 */
export async function createDataset({
  client,
  signal,
  name,
  description,
  examples,
}: CallOptions & {
  readonly name: string;
  readonly description?: string | null;
  readonly examples: readonly ExampleInput[];
}): Promise<{ datasetId: string; versionId: string }> {
  const server = clientOf(client);
  const body = toBody({ name: requireIdentifier(name, 'name'), ...(description != null && { description }) }, examples);
  try {
    return await upload(server, { ...body, action: 'update' }, signal);
  } catch (error) {
    // Servers before 15 know no update.
    const isUnknown =
      error instanceof HttpError && error.status === 422 && /Invalid dat[ae]set action/i.test(error.detail);
    if (!isUnknown) throw error;
    return upload(server, { ...body, action: 'create' }, signal);
  }
}

/** Adds examples to a dataset. Equal ones are stored once. */
export async function appendDatasetExamples({
  client,
  signal,
  dataset,
  examples,
}: CallOptions & { readonly dataset: DatasetSelector; readonly examples: readonly ExampleInput[] }): Promise<{
  datasetId: string;
  versionId: string;
}> {
  const server = clientOf(client);
  const name = 'datasetName' in dataset ? dataset.datasetName : (await findDataset(server, dataset, signal)).name;
  return upload(server, { ...toBody({ name }, examples), action: 'append' }, signal);
}

async function upload(client: SpandrelClient, body: NewDataset, signal: AbortSignal | undefined) {
  const call = client.POST('/v1/datasets/upload', { params: { query: { sync: true } }, body, signal });
  const answer = await bodyOf(call);
  if (!answer?.data) throw new AnswerError('The server stored the upload without saying where.', client.config.baseUrl);
  return { datasetId: answer.data.dataset_id, versionId: answer.data.version_id };
}

function toBody(
  head: { readonly name: string; readonly description?: string },
  examples: readonly ExampleInput[],
): NewDataset {
  if (examples.length === 0) throw new ArgumentError('There are no examples to upload.');
  examples.forEach(checkExample);
  const splits = examples.map(({ splits: names }) => (typeof names === 'string' ? names : names ? [...names] : null));
  const spanIds = examples.map(({ spanId }) => spanId || null);
  const ids = examples.map(({ id, nodeId }) => (id && id !== nodeId ? id : null));
  const isGiven = (value: unknown) => value !== null;
  return {
    ...head,
    inputs: examples.map(({ input }) => toObject(input)),
    outputs: examples.map(({ output }) => toObject(output ?? {})),
    metadata: examples.map(({ metadata }) => toObject(metadata ?? {})),
    ...(splits.some(isGiven) && { splits }),
    ...(spanIds.some(isGiven) && { span_ids: spanIds }),
    ...(ids.some(isGiven) && { example_ids: ids }),
  } as NewDataset;
}

const toObject = (value: Readonly<Record<string, unknown>>) => toJsonValue(value) as Record<string, unknown>;

function checkExample({ input, output, metadata }: ExampleInput, index: number): void {
  for (const [name, value] of Object.entries({ input, output, metadata })) {
    if (name !== 'input' && (value === undefined || value === null)) continue;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ArgumentError(
        `examples[${index}].${name} must be an object, and is ${Array.isArray(value) ? 'a list' : typeof value}.`,
      );
    }
  }
}
