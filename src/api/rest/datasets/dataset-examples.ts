import { Type } from '@sinclair/typebox';
import type { DatasetExample, DatasetVersion } from '../../../model/dataset.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { EXAMPLE_BATCH_ROW_COUNT } from '../../../model/limits/datasets.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { ExampleSelection } from '../../../domain/datasets/read-examples.ts';
import type { Domain } from '../../../domain/domain.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { cursorTo } from '../cursor.ts';
import { dateText } from '../date-text.ts';
import { defineRoute, JsonText, type RestRoute, TextStream } from '../define-route.ts';
import { rowIdIn, rowIdInNode } from '../row-id.ts';
import { Cursor, DataOf, DateTimeText, JsonObject, limitOf, Nullable, PageOf } from '../schema.ts';
import { splitRefs } from './dataset-refs.ts';
import { DATASET_ID_INVALID, DATASET_PARAM } from './datasets.ts';

/** An example in answers. */
export const ExampleJson = Type.Object(
  {
    id: Type.String({ description: 'The external ID of the example if it has one, else its global ID.' }),
    node_id: Type.String({ description: 'Global ID.' }),
    input: JsonObject(),
    output: JsonObject(),
    metadata: JsonObject(),
    updated_at: DateTimeText({ description: 'Time at which this content was stored.' }),
    source: Nullable(
      Type.Object({ span_id: Type.String(), span_node_id: Type.String({ description: 'Global ID.' }) }),
      { description: 'The span from which the example was created. Null if there is none, or if it was deleted.' },
    ),
  },
  { $id: 'DatasetExample' },
);

const ExamplesJson = Type.Object(
  {
    dataset_id: Type.String(),
    version_id: Type.String(),
    filtered_splits: Type.Array(Type.String(), { description: 'Names of the requested splits.' }),
    examples: Type.Array(ExampleJson),
  },
  { $id: 'DatasetExamples' },
);

const ContentJson = Nullable(
  Type.Object({ input: JsonObject(), output: JsonObject(), metadata: JsonObject() }, { $id: 'ExampleContent' }),
);

const ExampleChangeJson = Type.Object(
  {
    id: Type.String(),
    node_id: Type.String(),
    change: Type.String({ enum: ['added', 'revised', 'removed'] }),
    before: ContentJson,
    after: ContentJson,
  },
  { $id: 'ExampleChange' },
);

const VersionId = (description: string) => Type.Optional(Type.String({ description }));

export const datasetExampleRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/datasets/:id/examples',
    access: 'viewer',
    operationId: 'listDatasetExamples',
    tag: 'datasets',
    summary: 'Read the examples of a dataset at a version',
    description:
      'Returns all examples in the order of their creation. With `limit`, returns one page of them, and the response has `next_cursor` in addition to `data`.',
    params: DATASET_PARAM,
    query: Type.Object({
      version_id: VersionId('Global ID of the version. Default: the latest version.'),
      split: Type.Array(Type.String(), {
        default: [],
        description: 'Names or global IDs of splits. Returns examples that are currently in any of them.',
      }),
      limit: Type.Optional(Type.Integer({ exclusiveMinimum: 0, description: 'Rows of the page. Default: all rows.' })),
      cursor: Cursor,
    }),
    success: { status: 200, description: 'The examples.', schema: DataOf(ExamplesJson) },
    errors: { 404: 'No dataset with id <id> can be found.', 422: DATASET_ID_INVALID },
    async handle({ domain, params: { id }, query }) {
      const { datasetRowId, version } = await getVersion(domain, id, query.version_id);
      const splits = await domain.datasets.resolveSplits(splitRefs(query.split));
      const selection = {
        datasetRowId,
        versionRowId: version.rowId,
        splitRowIds: splits.length > 0 ? splits.map(({ rowId }) => rowId) : undefined,
      };
      const head =
        `{"data":{"dataset_id":"${toGlobalId('Dataset', datasetRowId)}",` +
        `"version_id":"${toGlobalId('DatasetVersion', version.rowId)}",` +
        `"filtered_splits":${JSON.stringify(splits.map(({ name }) => name))},"examples":[`;
      const { limit, cursor } = query;
      const isSmall = version.exampleCount <= EXAMPLE_BATCH_ROW_COUNT;
      if (limit === undefined && !isSmall) return new TextStream(JSON_TYPE, writeAll(domain, head, selection));
      const page = await domain.datasets.listExamples({
        ...selection,
        limit: limit === undefined ? EXAMPLE_BATCH_ROW_COUNT : Math.min(limit, PAGE_ROW_COUNT_MAX),
        fromRowId: cursor ? rowIdIn('DatasetExample', cursor, `Invalid cursor format: ${cursor}`) : undefined,
      });
      const next =
        limit === undefined ? '' : `,"next_cursor":${JSON.stringify(cursorTo('DatasetExample', page.nextRowId))}`;
      return new JsonText(`${head}${(await toExampleTexts(domain, page.items)).join(',')}]}${next}}`);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/datasets/:id/changes',
    access: 'viewer',
    operationId: 'listDatasetChanges',
    tag: 'datasets',
    summary: 'Compare two versions of a dataset',
    description: 'Examples that differ, with their content at both versions.',
    params: DATASET_PARAM,
    query: Type.Object({
      base_version_id: Type.String({ description: 'Global ID of the version to compare with.' }),
      version_id: VersionId('Global ID of the version. Default: the latest version.'),
      cursor: Cursor,
      limit: limitOf(100),
    }),
    success: { status: 200, description: 'One page of changes.', schema: PageOf(ExampleChangeJson) },
    errors: { 404: 'No dataset version with id <id> can be found.', 422: DATASET_ID_INVALID },
    async handle({ domain, params: { id }, query: { base_version_id, version_id, cursor, limit } }) {
      const { datasetRowId, version } = await getVersion(domain, id, version_id);
      const base = await getVersion(domain, id, base_version_id);
      const page = await domain.datasets.compareVersions({
        datasetRowId,
        baseRowId: base.version.rowId,
        versionRowId: version.rowId,
        limit: Math.min(limit, PAGE_ROW_COUNT_MAX),
        fromRowId: cursor ? rowIdIn('DatasetExample', cursor, `Invalid cursor format: ${cursor}`) : undefined,
      });
      const rows = page.items.map(({ rowId, externalId, before, after }) => {
        const nodeId = toGlobalId('DatasetExample', rowId);
        const change = before === null ? 'added' : after === null ? 'removed' : 'revised';
        return `{"id":${JSON.stringify(externalId ?? nodeId)},"node_id":"${nodeId}","change":"${change}","before":${before},"after":${after}}`;
      });
      const next = JSON.stringify(cursorTo('DatasetExample', page.nextRowId));
      return new JsonText(`{"data":[${rows.join(',')}],"next_cursor":${next}}`);
    },
  }),
];

const JSON_TYPE = { 'content-type': 'application/json' };

/** @throws {SpandrelError} for texts that are not IDs, IDs of other types, and unknown IDs */
async function getVersion(
  domain: Domain,
  id: string,
  versionId: string | undefined,
): Promise<{ datasetRowId: number; version: DatasetVersion }> {
  const datasetRowId = rowIdInNode('Dataset', id, `Invalid dataset ID format: ${id}`);
  const versionRowId = versionId
    ? rowIdInNode('DatasetVersion', versionId, `Invalid dataset version ID format: ${versionId}`)
    : undefined;
  const version = await domain.datasets.findVersion(datasetRowId, versionRowId);
  if (version) return { datasetRowId, version };
  if (!(await domain.datasets.find({ rowId: datasetRowId }))) {
    throw new SpandrelError('DATASET_NOT_FOUND', `No dataset with id ${id} can be found.`);
  }
  const problem = versionId ? `No dataset version with id ${versionId} can be found.` : 'Dataset has no versions.';
  throw new SpandrelError('DATASET_VERSION_NOT_FOUND', problem);
}

async function* writeAll(domain: Domain, head: string, selection: ExampleSelection): AsyncGenerator<string> {
  let before = head;
  for await (const batch of domain.datasets.readExamples(selection)) {
    yield before + (await toExampleTexts(domain, batch)).join(',');
    before = ',';
  }
  yield before === ',' ? ']}}' : `${head}]}}`;
}

async function toExampleTexts({ spans }: Domain, examples: readonly DatasetExample[]): Promise<string[]> {
  const spanRowIds = examples.flatMap(({ spanRowId }) => spanRowId ?? []);
  const rows =
    spanRowIds.length > 0
      ? await spans.get({ of: 'spans', column: 'row', rowIds: [...new Set(spanRowIds)] })
      : undefined;
  return examples.map((example) => {
    const span = example.spanRowId === null ? undefined : rows?.get(example.spanRowId);
    const source = span
      ? `{"span_id":${JSON.stringify(span.spanId)},"span_node_id":"${toGlobalId('Span', span.rowId)}"}`
      : 'null';
    return toExampleText(example, example.externalId, source);
  });
}

/** `externalId` null: it is shown by its global ID alone. `source` is JSON text. */
export function toExampleText(
  {
    rowId,
    input,
    output,
    metadata,
    updatedAt,
  }: Pick<DatasetExample, 'rowId' | 'input' | 'output' | 'metadata' | 'updatedAt'>,
  externalId: string | null,
  source: string,
): string {
  const nodeId = toGlobalId('DatasetExample', rowId);
  return (
    `{"id":${JSON.stringify(externalId ?? nodeId)},"node_id":"${nodeId}","input":${input},"output":${output},` +
    `"metadata":${metadata},"updated_at":"${dateText(updatedAt)}","source":${source}}`
  );
}
