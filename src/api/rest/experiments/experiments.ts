import { Type } from '@sinclair/typebox';
import { toExactJsonText } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { Experiment } from '../../../model/experiment.ts';
import { REPETITION_COUNT_MAX } from '../../../model/limits/datasets.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { Domain } from '../../../domain/domain.ts';
import { withTexts } from '../../contract/error-texts.ts';
import { parseGlobalId, toGlobalId } from '../../contract/global-id.ts';
import { attachment } from '../content-disposition.ts';
import { cursorTo } from '../cursor.ts';
import { splitRefs } from '../datasets/dataset-refs.ts';
import { dateText } from '../date-text.ts';
import { defineRoute, JsonText, type RestRoute, TextStream } from '../define-route.ts';
import { rowIdIn, rowIdInNode } from '../row-id.ts';
import { Cursor, DataOf, DateTimeText, JsonObject, limitOf, Nullable, PageOf } from '../schema.ts';

const ExperimentJson = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    dataset_id: Type.String(),
    dataset_version_id: Type.String(),
    name: Type.String(),
    description: Nullable(Type.String()),
    repetitions: Type.Integer(),
    metadata: JsonObject(),
    project_name: Nullable(Type.String({ description: 'The project of the traces of its runs.' })),
    created_at: DateTimeText(),
    updated_at: DateTimeText(),
    example_count: Type.Integer({ description: 'Number of examples that the experiment uses.' }),
    successful_run_count: Type.Integer(),
    failed_run_count: Type.Integer(),
    missing_run_count: Type.Integer(),
  },
  { $id: 'Experiment' },
);

export const EXPERIMENT_PARAM = { experiment_id: 'Global ID of the experiment.' };
export const EXPERIMENT_NOT_FOUND = 'Experiment with ID <id> does not exist';
const DATASET_PARAM = { dataset_id: 'Global ID of the dataset.' };

export const experimentRoutes = (): RestRoute[] => [
  ...experimentsOfDatasetRoutes(),
  ...singleExperimentRoutes(),
  ...exportRoutes(),
];

const experimentsOfDatasetRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/datasets/:dataset_id/experiments',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'once',
    operationId: 'createExperiment',
    tag: 'experiments',
    summary: 'Create an experiment on the examples of a dataset',
    description:
      'The experiment uses the examples of the given version, and gets a project for the traces of its runs. Later changes of the dataset do not affect it.',
    params: DATASET_PARAM,
    body: Type.Object({
      name: Type.Optional(Nullable(Type.String(), { description: 'Default: derived from the name of the dataset.' })),
      description: Type.Optional(Nullable(Type.String())),
      metadata: Type.Optional(Nullable(JsonObject())),
      version_id: Type.Optional(Nullable(Type.String(), { description: 'Global ID. Default: the latest version.' })),
      splits: Type.Optional(
        Nullable(Type.Array(Type.String()), {
          description: 'Names or global IDs. If absent or empty, the experiment uses all examples.',
        }),
      ),
      repetitions: Type.Integer({ default: 1, exclusiveMinimum: 0, maximum: REPETITION_COUNT_MAX }),
    }),
    bodyExample: { name: 'shorter prompt', repetitions: 3 },
    success: { status: 200, description: 'The experiment.', schema: DataOf(ExperimentJson) },
    errors: {
      404: 'Dataset with ID <id> does not exist',
      422: 'Invalid dataset ID format: <id>',
    },
    async handle({ domain, params: { dataset_id: id }, body }) {
      const datasetAbsent = `Dataset with ID ${id} does not exist`;
      const rowId = rowIdInNode('Dataset', id, `Invalid dataset ID format: ${id}`, datasetAbsent);
      const versionId = body.version_id ?? undefined;
      const versionAbsent = `DatasetVersion with ID ${versionId} does not exist`;
      const versionRowId =
        versionId === undefined
          ? undefined
          : rowIdInNode('DatasetVersion', versionId, `Invalid dataset version ID format: ${versionId}`, versionAbsent);
      const dataset = await domain.datasets.find({ rowId });
      if (!dataset) throw new SpandrelError('DATASET_NOT_FOUND', datasetAbsent);
      const version = await domain.datasets.findVersion(rowId, versionRowId);
      if (!version) {
        const problem = versionId === undefined ? `Dataset ${id} does not have any versions` : versionAbsent;
        throw new SpandrelError('DATASET_VERSION_NOT_FOUND', problem);
      }
      const experiment = await domain.experiments.create({
        dataset,
        version,
        name: body.name ?? null,
        description: body.description ?? null,
        metadata: toExactJsonText(body.metadata ?? {}),
        repetitions: body.repetitions,
        splits: splitRefs(body.splits ?? []),
        projectDescription: `dataset_id: ${toGlobalId('Dataset', rowId)}\ndataset_version_id: ${toGlobalId('DatasetVersion', version.rowId)}`,
      });
      return dataText(experiment);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/datasets/:dataset_id/experiments',
    access: 'viewer',
    operationId: 'listExperiments',
    tag: 'experiments',
    summary: 'List the experiments of a dataset, newest first',
    params: DATASET_PARAM,
    query: Type.Object({ cursor: Cursor, limit: limitOf(50) }),
    success: { status: 200, description: 'One page of experiments.', schema: PageOf(ExperimentJson) },
    errors: { 404: 'Dataset with ID <id> does not exist', 422: 'Invalid dataset ID format: <id>' },
    async handle({ domain, params: { dataset_id: id }, query: { cursor, limit } }) {
      const absent = `Dataset with ID ${id} does not exist`;
      const page = await domain.experiments.list({
        datasetRowId: rowIdInNode('Dataset', id, `Invalid dataset ID format: ${id}`, absent),
        limit: Math.min(limit, PAGE_ROW_COUNT_MAX),
        fromRowId: cursor ? rowIdIn('Experiment', cursor, `Invalid cursor format: ${cursor}`) : undefined,
      });
      const next = JSON.stringify(cursorTo('Experiment', page.nextRowId));
      return new JsonText(`{"data":[${page.items.map(toText).join(',')}],"next_cursor":${next}}`);
    },
  }),
];

const singleExperimentRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/experiments/:experiment_id',
    access: 'viewer',
    operationId: 'getExperiment',
    tag: 'experiments',
    summary: 'Read an experiment',
    params: EXPERIMENT_PARAM,
    success: { status: 200, description: 'The experiment.', schema: DataOf(ExperimentJson) },
    errors: { 404: EXPERIMENT_NOT_FOUND, 422: 'Invalid experiment ID format: <id>' },
    handle: async ({ domain, params }) => dataText(await getExperiment(domain, params.experiment_id)),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/experiments/:experiment_id',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'updateExperiment',
    tag: 'experiments',
    summary: 'Change the name, description or metadata of an experiment',
    params: EXPERIMENT_PARAM,
    body: Type.Object({
      name: Type.Optional(Type.String()),
      description: Type.Optional(Nullable(Type.String(), { description: 'Null removes it.' })),
      metadata: Type.Optional(JsonObject({ description: 'Replaces the stored metadata.' })),
    }),
    success: { status: 200, description: 'The experiment.', schema: DataOf(ExperimentJson) },
    errors: { 404: EXPERIMENT_NOT_FOUND, 422: 'No fields to update' },
    async handle({ domain, params: { experiment_id: id }, body: { name, description, metadata } }) {
      const changes = { name, description, metadata: metadata && toExactJsonText(metadata) };
      await domain.experiments.update(experimentRowId(id), changes);
      return dataText(await getExperiment(domain, id));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/experiments/:experiment_id',
    access: 'member',
    operationId: 'deleteExperiment',
    tag: 'experiments',
    summary: 'Delete an experiment with its runs and evaluations',
    params: EXPERIMENT_PARAM,
    query: Type.Object({
      delete_project: Type.Boolean({
        default: false,
        description: 'Also delete the project with the traces of its runs.',
      }),
    }),
    success: { status: 204, description: 'The experiment is deleted.' },
    errors: { 404: 'Experiment does not exist', 422: 'Invalid experiment ID format: <id>' },
    async handle({ domain, params: { experiment_id: id }, query }) {
      const rowId = experimentRowId(id);
      await withTexts({ EXPERIMENT_NOT_FOUND: 'Experiment does not exist' }, () =>
        domain.experiments.delete([rowId], { withProjects: query.delete_project }),
      );
    },
  }),
];

const exportRoutes = (): RestRoute[] =>
  (
    [
      ['json', 'application/json', 'exportJson'],
      ['csv', 'text/csv', 'exportCsv'],
    ] as const
  ).map(([form, contentType, write]) =>
    defineRoute({
      method: 'GET',
      path: `/v1/experiments/:experiment_id/${form}`,
      access: 'viewer',
      operationId: `downloadExperiment${form === 'json' ? 'Json' : 'Csv'}`,
      tag: 'experiments',
      summary: `Download the runs of an experiment with their evaluations as ${form === 'json' ? 'JSON' : 'CSV'}`,
      ...(form === 'csv' && {
        description:
          'Cells contain the stored values unchanged. A text that starts with `=`, `+`, `-` or `@` may be run as a formula by a spreadsheet, so import the columns of untrusted runs as text.',
      }),
      params: EXPERIMENT_PARAM,
      success: { status: 200, description: 'The file.', contentType },
      errors: { 404: 'Experiment not found', 422: 'Invalid experiment ID format: <id>' },
      async handle({ domain, params: { experiment_id: id } }) {
        if (!parseGlobalId(id)) throw new SpandrelError('QUERY_INVALID', `Invalid experiment ID format: ${id}`);
        const rowId = rowIdIn('Experiment', id, `Invalid experiment ID: ${id}`);
        const experiment = await domain.experiments.find(rowId);
        if (!experiment) throw new SpandrelError('EXPERIMENT_NOT_FOUND', 'Experiment not found');
        if (experiment.successfulRunCount + experiment.failedRunCount === 0) {
          throw new SpandrelError('EXPERIMENT_NOT_FOUND', 'Experiment has no runs');
        }
        return new TextStream(
          { 'content-type': contentType, 'content-disposition': attachment(experiment.name, form) },
          domain.experiments[write](rowId, (exampleId) => toGlobalId('DatasetExample', exampleId)),
        );
      },
    }),
  );

/** A global ID of another type names nothing that exists. */
export const experimentRowId = (id: string): number =>
  rowIdInNode('Experiment', id, `Invalid experiment ID format: ${id}`, `Experiment with ID ${id} does not exist`);

/** @throws {SpandrelError} for a text that is not the ID of an existing experiment */
export const getExperiment = async ({ experiments }: Domain, id: string): Promise<Experiment> =>
  experiments.get(experimentRowId(id));

const dataText = (experiment: Experiment): JsonText => new JsonText(`{"data":${toText(experiment)}}`);

function toText(experiment: Experiment): string {
  const { exampleCount, successfulRunCount, failedRunCount } = experiment;
  // Clients may post more repetitions than they had announced.
  const missing = Math.max(0, exampleCount * experiment.repetitions - successfulRunCount - failedRunCount);
  return (
    `{"id":"${toGlobalId('Experiment', experiment.rowId)}",` +
    `"dataset_id":"${toGlobalId('Dataset', experiment.datasetRowId)}",` +
    `"dataset_version_id":"${toGlobalId('DatasetVersion', experiment.datasetVersionRowId)}",` +
    `"name":${JSON.stringify(experiment.name)},"description":${JSON.stringify(experiment.description)},` +
    `"repetitions":${experiment.repetitions},"metadata":${experiment.metadata},` +
    `"project_name":${JSON.stringify(experiment.projectName)},` +
    `"created_at":"${dateText(experiment.createdAt)}","updated_at":"${dateText(experiment.updatedAt)}",` +
    `"example_count":${exampleCount},"successful_run_count":${successfulRunCount},` +
    `"failed_run_count":${failedRunCount},"missing_run_count":${missing}}`
  );
}
