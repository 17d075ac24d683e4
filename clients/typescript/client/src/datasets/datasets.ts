import { bodyOf, type CallOptions, clientOf, type SpandrelClient } from '../client.ts';
import type {
  Dataset as DatasetJson,
  DatasetExample as ExampleJson,
  DatasetVersion as VersionJson,
} from '../generated/api.ts';
import { type List, listAll } from '../pages/list.ts';
import { type DatasetSelector, findDataset, requireIdentifier } from './dataset-selector.ts';

/** What identifies and describes a dataset. */
export interface DatasetInfo {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A dataset of a list. */
export interface DatasetRow extends DatasetInfo {
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly exampleCount: number;
}

/** An example at a version. */
export interface DatasetExample {
  /** The ID of the uploader, else the global ID. */
  readonly id: string;
  /** The global ID. */
  readonly nodeId: string;
  readonly input: Record<string, unknown>;
  readonly output: Record<string, unknown> | null;
  readonly metadata: Record<string, unknown>;
  readonly updatedAt: Date;
  /** The span that the example was made of. */
  readonly source: { readonly spanId: string; readonly spanNodeId: string } | null;
}

/** Examples of a dataset at a version. */
export interface DatasetExamples {
  readonly versionId: string;
  readonly examples: DatasetExample[];
}

export interface DatasetVersion {
  readonly versionId: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** A dataset with its examples. */
export interface Dataset extends DatasetInfo, DatasetExamples {}

const PAGE_ROW_COUNT = 100;
/** Examples per request. */
const EXAMPLE_PAGE_ROW_COUNT = 1_000;

const toInfo = ({ id, name, description, metadata }: DatasetJson): DatasetInfo => ({ id, name, description, metadata });

/** @internal An example of a response. */
export const toExample = (example: ExampleJson): DatasetExample => ({
  id: example.id,
  nodeId: example.node_id,
  input: example.input,
  output: example.output,
  metadata: example.metadata,
  updatedAt: new Date(example.updated_at),
  source: example.source ? { spanId: example.source.span_id, spanNodeId: example.source.span_node_id } : null,
});

/** All datasets, the newest first; with `name` the one of this name. */
export function listDatasets({
  client,
  signal,
  name,
}: CallOptions & { readonly name?: string } = {}): List<DatasetRow> {
  return listAll(async (cursor) => {
    const params = { query: { limit: PAGE_ROW_COUNT, cursor, name } };
    const { data, next_cursor: nextCursor } = await bodyOf(clientOf(client).GET('/v1/datasets', { params, signal }));
    const items = data.map((row) => ({
      ...toInfo(row),
      createdAt: new Date(row.created_at),
      updatedAt: new Date(row.updated_at),
      exampleCount: row.example_count,
    }));
    return { items, nextCursor };
  });
}

/** A dataset without its examples. */
export async function getDatasetInfo({
  client,
  signal,
  dataset,
}: CallOptions & { readonly dataset: DatasetSelector }): Promise<DatasetInfo> {
  return toInfo(await findDataset(clientOf(client), dataset, signal));
}

/** The examples of a dataset at a version. */
export async function getDatasetExamples({
  client,
  signal,
  dataset,
}: CallOptions & { readonly dataset: DatasetSelector }): Promise<DatasetExamples> {
  const server = clientOf(client);
  const id = 'datasetId' in dataset ? dataset.datasetId : (await findDataset(server, dataset, signal)).id;
  return readExamples(server, id, dataset, signal);
}

/** A dataset with its examples. */
export async function getDataset({
  client,
  signal,
  dataset,
}: CallOptions & { readonly dataset: DatasetSelector }): Promise<Dataset> {
  const server = clientOf(client);
  const info = toInfo(await findDataset(server, dataset, signal));
  return { ...info, ...(await readExamples(server, info.id, dataset, signal)) };
}

/** Reads page by page. A server without pages answers with all examples at once. */
async function readExamples(
  client: SpandrelClient,
  datasetId: string,
  { versionId: wanted, splits }: DatasetSelector,
  signal: AbortSignal | undefined,
): Promise<DatasetExamples> {
  const examples: DatasetExample[] = [];
  const path = { id: requireIdentifier(datasetId, 'datasetId') };
  let versionId = wanted;
  let cursor: string | undefined;
  do {
    const query = {
      version_id: versionId,
      split: splits ? [...splits] : undefined,
      limit: EXAMPLE_PAGE_ROW_COUNT,
      cursor,
    };
    const body = await bodyOf(client.GET('/v1/datasets/{id}/examples', { params: { path, query }, signal }));
    for (const example of body.data.examples) examples.push(toExample(example));
    // Later pages are those of the version of the first one.
    versionId = body.data.version_id;
    cursor = (body as { readonly next_cursor?: string | null }).next_cursor ?? undefined;
  } while (cursor);
  return { versionId, examples };
}

/** All versions of a dataset, the newest first. */
export function listDatasetVersions({
  client,
  signal,
  dataset,
}: CallOptions & { readonly dataset: DatasetSelector }): List<DatasetVersion> {
  let id: string | undefined;
  return listAll(async (cursor) => {
    const server = clientOf(client);
    id ??= 'datasetId' in dataset ? dataset.datasetId : (await findDataset(server, dataset, signal)).id;
    const params = { path: { id }, query: { limit: PAGE_ROW_COUNT, cursor } };
    const { data, next_cursor: nextCursor } = await bodyOf(
      server.GET('/v1/datasets/{id}/versions', { params, signal }),
    );
    return { items: data.map(toVersion), nextCursor };
  });
}

const toVersion = (version: VersionJson): DatasetVersion => ({
  versionId: version.version_id,
  description: version.description,
  metadata: version.metadata,
  createdAt: new Date(version.created_at),
});

/** Deletes a dataset with its versions and experiments. */
export async function deleteDataset({
  client,
  signal,
  dataset,
}: CallOptions & { readonly dataset: DatasetSelector }): Promise<void> {
  const server = clientOf(client);
  const { id } = await findDataset(server, dataset, signal);
  await server.DELETE('/v1/datasets/{id}', { params: { path: { id } }, signal });
}
