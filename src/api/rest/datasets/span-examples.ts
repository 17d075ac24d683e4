import { Type } from '@sinclair/typebox';
import type { AddedSpans, MappedField } from '../../../model/dataset-source.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { ADDED_SPAN_COUNT_MAX, MAPPED_FIELD_COUNT_MAX } from '../../../model/limits/datasets.ts';
import { rowIdOf, toGlobalId } from '../../contract/global-id.ts';
import { defineRoute, type RestRoute, TextStream } from '../define-route.ts';
import { Nullable } from '../schema.ts';
import { datasetRef } from './dataset-refs.ts';
import { progressLines } from './progress-lines.ts';

const Fields = (side: string) =>
  Type.Optional(
    Nullable(
      Type.Array(Type.Object({ name: Type.String(), path: Type.String() }), {
        maxItems: MAPPED_FIELD_COUNT_MAX,
        description: `Fields of the ${side}. Absent or null: the default.`,
      }),
    ),
  );

const KeepsRepeated = Type.Boolean({
  default: false,
  description: 'Also adds examples whose span or content the dataset has.',
});

const SUCCESS = {
  status: 200,
  description: 'One JSON object per line: `{"count": …}` while spans are read, then the result or `{"error": …}`.',
  contentType: 'application/x-ndjson',
} as const;

export const spanExampleRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/datasets/:dataset_identifier/spans',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'once',
    operationId: 'addSpansAsExamples',
    tag: 'datasets',
    summary: 'Add spans to a dataset by a mapping',
    description:
      'Adds an example for each span as one new version, all of them or none. A request that the client ends adds nothing. With `dry_run`, the examples are only counted.',
    params: { dataset_identifier: 'Global ID or exact name of the dataset.' },
    isBulk: true,
    body: Type.Object({
      span_ids: Type.Array(Type.String(), { maxItems: ADDED_SPAN_COUNT_MAX, description: 'Global IDs of spans.' }),
      mapping: Type.Object(
        { input: Fields('input'), output: Fields('output'), metadata: Fields('metadata') },
        { default: {} },
      ),
      splits: Type.Array(Type.String(), { default: [], description: 'Names of splits, created when they are absent.' }),
      description: Type.Optional(Nullable(Type.String({ description: 'Description of the new version.' }))),
      keep_repeated: KeepsRepeated,
      dry_run: Type.Boolean({ default: false }),
    }),
    success: SUCCESS,
    errors: { 404: 'Dataset with ID <id> not found' },
    async handle({ domain, params, body, signal }) {
      const { rowId } = await domain.datasets.get(datasetRef(params.dataset_identifier));
      const spanRowIds = body.span_ids.map(toSpanRowId);
      const { input = null, output = null, metadata = null } = body.mapping as MappingBody;
      return lines((onProgress) =>
        domain.datasetSources.addSpans(
          {
            datasetRowId: rowId,
            spanRowIds,
            mapping: { input, output, metadata },
            splitNames: body.splits,
            description: body.description ?? null,
            keepsRepeated: body.keep_repeated,
            isDryRun: body.dry_run,
            signal,
            onProgress,
          },
          userIdText,
        ),
      );
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/dataset_sources/:source_id/examples',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'repeatable',
    operationId: 'addNewMatchesOfSource',
    tag: 'datasets',
    summary: 'Add the new matches of a saved source to its dataset',
    description: `Adds the spans that match and have arrived since the last use, in the order of their arrival, at most ${ADDED_SPAN_COUNT_MAX}. A request that the client ends adds nothing.`,
    params: { source_id: 'Global ID of the source.' },
    body: Type.Object({ keep_repeated: KeepsRepeated }),
    success: SUCCESS,
    errors: { 404: 'DatasetSource with ID <id> not found' },
    async handle({ domain, params, body, signal }) {
      const sourceRowId = rowIdOf('DatasetSource', params.source_id);
      if (sourceRowId === undefined || !(await domain.datasetSources.find(sourceRowId))) {
        throw new SpandrelError('DATASET_SOURCE_NOT_FOUND', `DatasetSource with ID ${params.source_id} not found`);
      }
      return lines((onProgress) =>
        domain.datasetSources.addNewMatches(
          { sourceRowId, keepsRepeated: body.keep_repeated, signal, onProgress },
          userIdText,
        ),
      );
    },
  }),
];

interface MappingBody {
  readonly input?: readonly MappedField[] | null;
  readonly output?: readonly MappedField[] | null;
  readonly metadata?: readonly MappedField[] | null;
}

const lines = (run: (onProgress: (count: number) => void) => Promise<AddedSpans>): TextStream =>
  new TextStream(
    { 'content-type': SUCCESS.contentType },
    progressLines(async (onProgress) => toJson(await run(onProgress))),
  );

const toJson = ({ datasetRowId, versionRowId, ...counts }: AddedSpans) => ({
  result: {
    dataset_id: toGlobalId('Dataset', datasetRowId),
    version_id: versionRowId === null ? null : toGlobalId('DatasetVersion', versionRowId),
    added_count: counts.addedCount,
    repeated_span_count: counts.repeatedSpanCount,
    repeated_content_count: counts.repeatedContentCount,
  },
});

function toSpanRowId(id: string): number {
  const rowId = rowIdOf('Span', id);
  if (rowId === undefined) throw new SpandrelError('QUERY_INVALID', `Expected the ID of a span, received '${id}'`);
  return rowId;
}

const userIdText = (userRowId: number): string => toGlobalId('User', userRowId);
