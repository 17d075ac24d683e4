import { type Static, Type } from '@sinclair/typebox';
import { isJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { ANNOTATOR_KINDS, type ExperimentRun, type NewExperimentRun } from '../../../model/experiment.ts';
import { INDEXED_TEXT_BYTES_MAX, ROW_INTEGER_MAX } from '../../../model/limits/datasets.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import { type DateTime as DateTimeValue, formatUnixNano } from '../../../model/time/datetime.ts';
import type { Domain } from '../../../domain/domain.ts';
import type { EvaluationOfRun } from '../../../domain/experiments/write-run.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { cursorTo } from '../cursor.ts';
import { ExampleJson, toExampleText } from '../datasets/dataset-examples.ts';
import { defineRoute, JsonText, type RestRoute, TextStream } from '../define-route.ts';
import { rowIdIn, rowIdInNode } from '../row-id.ts';
import {
  AnyJson,
  Cursor,
  DataOf,
  DateTime,
  ExactFloat,
  JsonObject,
  limitOf,
  Nullable,
  OneOf,
  PageOf,
  Ruled,
} from '../schema.ts';
import { withBatch } from '../with-batch.ts';
import { EXPERIMENT_NOT_FOUND, EXPERIMENT_PARAM, experimentRowId, getExperiment } from './experiments.ts';

const RUN_FIELDS = {
  dataset_example_id: Type.String({ description: 'Global ID of an example of the experiment.' }),
  output: AnyJson({ description: 'Output of the task. Null is allowed.' }),
  repetition_number: Type.Integer({
    exclusiveMinimum: 0,
    maximum: ROW_INTEGER_MAX,
    description: 'Number of the repetition, from 1.',
  }),
  start_time: DateTime(),
  end_time: DateTime(),
};

const RunJson = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    experiment_id: Type.String(),
    ...RUN_FIELDS,
    trace_id: Nullable(Type.String()),
    error: Nullable(Type.String()),
  },
  { $id: 'ExperimentRun' },
);

const IncompleteRunJson = Type.Object(
  { dataset_example: ExampleJson, repetition_numbers: Type.Array(Type.Integer()) },
  { $id: 'IncompleteRun' },
);

const IncompleteEvaluationJson = Type.Object(
  { experiment_run: RunJson, dataset_example: ExampleJson, evaluation_names: Type.Array(Type.String()) },
  { $id: 'IncompleteEvaluation' },
);

const IdJson = DataOf(Type.Object({ id: Type.String({ description: 'Global ID.' }) }));
const OptionalText = () => Type.Optional(Nullable(Type.String()));

const NewEvaluationJson = Ruled(
  Type.Object({
    experiment_run_id: Type.String({ description: 'Global ID.' }),
    name: Ruled(Type.String(), (name) =>
      Buffer.byteLength(name) > INDEXED_TEXT_BYTES_MAX
        ? `must have at most ${INDEXED_TEXT_BYTES_MAX} bytes`
        : undefined,
    ),
    annotator_kind: OneOf(ANNOTATOR_KINDS),
    start_time: DateTime(),
    end_time: DateTime(),
    result: Type.Optional(
      Nullable(
        Type.Object({
          label: OptionalText(),
          score: Type.Optional(Nullable(ExactFloat())),
          explanation: OptionalText(),
          metadata: Type.Optional(Nullable(AnyJson({ description: 'Used if `metadata` is absent or empty.' }))),
        }),
      ),
    ),
    error: OptionalText(),
    metadata: Type.Optional(Nullable(JsonObject())),
    trace_id: OptionalText(),
  }),
  ({ result, error }) => (result || error ? undefined : "Either 'result' or 'error' must be provided"),
);

const INVALID = { 404: EXPERIMENT_NOT_FOUND, 422: 'Invalid experiment ID format: <id>' };

export const experimentRunRoutes = (): RestRoute[] => [...runRoutes(), ...incompleteRoutes(), evaluationRoute()];

const NewRunJson = Type.Object({ ...RUN_FIELDS, trace_id: OptionalText(), error: OptionalText() });

const runRoutes = (): RestRoute[] => [
  withBatch(createRunRoute(), {
    item: NewRunJson,
    prepare: toNewRun,
    write: (domain, params, runs) => domain.experiments.writeRuns(experimentRowId(params.experiment_id ?? ''), runs),
    toId: (rowId) => toGlobalId('ExperimentRun', rowId),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/experiments/:experiment_id/runs',
    access: 'viewer',
    operationId: 'listExperimentRuns',
    tag: 'experiments',
    summary: 'List the runs of an experiment, newest first',
    params: EXPERIMENT_PARAM,
    query: Type.Object({
      cursor: Cursor,
      limit: Type.Optional(Type.Integer({ exclusiveMinimum: 0, description: 'Rows of the page. Default: all rows.' })),
    }),
    success: { status: 200, description: 'The runs.', schema: PageOf(RunJson) },
    errors: INVALID,
    async handle({ domain, params, query: { cursor, limit } }) {
      const rowId = experimentRowId(params.experiment_id);
      const fromRowId = cursor ? rowIdIn('ExperimentRun', cursor, `Invalid cursor format: ${cursor}`) : undefined;
      if (limit === undefined) {
        return new TextStream({ 'content-type': 'application/json' }, writeAllRuns(domain, rowId, fromRowId));
      }
      const page = await domain.experiments.listRuns({
        experimentRowId: rowId,
        limit: Math.min(limit, PAGE_ROW_COUNT_MAX),
        fromRowId,
      });
      return pageText(page.items.map(toRunText), cursorTo('ExperimentRun', page.nextRowId));
    },
  }),
];

const createRunRoute = () =>
  defineRoute({
    method: 'POST',
    path: '/v1/experiments/:experiment_id/runs',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'repeatable',
    operationId: 'createExperimentRun',
    tag: 'experiments',
    summary: 'Store a run',
    description: 'Replaces a failed run of the same example and repetition. The trace of the run need not be stored.',
    params: EXPERIMENT_PARAM,
    body: NewRunJson,
    success: { status: 200, description: 'The run is durable.', schema: IdJson },
    errors: {
      ...INVALID,
      409: 'Experiment run <id> already exists with a successful result and cannot be updated',
    },
    async handle({ domain, params: { experiment_id: id }, body }) {
      const rowId = experimentRowId(id);
      return { data: { id: toGlobalId('ExperimentRun', await domain.experiments.writeRun(rowId, toNewRun(body))) } };
    },
  });

/** @throws {SpandrelError} for an ID that is not one of an example */
function toNewRun(body: Static<typeof NewRunJson>): NewExperimentRun {
  const id = body.dataset_example_id;
  const absent = `DatasetExample with ID ${id} does not exist`;
  return {
    exampleRowId: rowIdInNode('DatasetExample', id, `Invalid dataset example ID format: ${id}`, absent),
    repetitionNumber: body.repetition_number,
    output: toExactJsonText(body.output),
    startMicros: toMicros(body.start_time),
    endMicros: toMicros(body.end_time),
    traceId: body.trace_id ?? null,
    error: body.error ?? null,
  };
}

const incompleteRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/experiments/:experiment_id/incomplete-runs',
    access: 'viewer',
    operationId: 'listIncompleteRuns',
    tag: 'experiments',
    summary: 'List examples whose repetitions have not all succeeded',
    params: EXPERIMENT_PARAM,
    query: Type.Object({ cursor: Cursor, limit: limitOf(50) }),
    success: { status: 200, description: 'One page of examples.', schema: PageOf(IncompleteRunJson) },
    errors: INVALID,
    async handle({ domain, params, query: { cursor, limit } }) {
      const { rowId } = await getExperiment(domain, params.experiment_id);
      const page = await domain.experiments.listIncompleteRuns({
        experimentRowId: rowId,
        limit: Math.min(limit, PAGE_ROW_COUNT_MAX),
        fromRowId: cursor ? rowIdIn('DatasetExample', cursor, `Invalid cursor format: ${cursor}`) : undefined,
      });
      const items = page.items.map(
        ({ example, repetitionNumbers }) =>
          `{"dataset_example":${toExampleText(example, null, 'null')},"repetition_numbers":[${repetitionNumbers}]}`,
      );
      return pageText(items, cursorTo('DatasetExample', page.nextRowId));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/experiments/:experiment_id/incomplete-evaluations',
    access: 'viewer',
    operationId: 'listIncompleteEvaluations',
    tag: 'experiments',
    summary: 'List successful runs that lack a successful evaluation of these names',
    params: EXPERIMENT_PARAM,
    query: Type.Object({
      evaluation_name: Type.Array(Type.String(), { default: [], description: 'Names of evaluations.' }),
      cursor: Cursor,
      limit: limitOf(50),
    }),
    success: { status: 200, description: 'One page of runs.', schema: PageOf(IncompleteEvaluationJson) },
    errors: { ...INVALID, 400: 'At least one evaluation_name must be provided' },
    async handle({ domain, params, query: { evaluation_name: given, cursor, limit } }) {
      experimentRowId(params.experiment_id);
      const names = [...new Set(given.map((name) => name.trim()).filter((name) => name !== ''))];
      if (names.length === 0) badRequest('At least one evaluation_name must be provided');
      if (names.some((name) => name.includes('\0'))) {
        badRequest('Invalid evaluation name: null bytes are not allowed');
      }
      const { rowId } = await getExperiment(domain, params.experiment_id);
      const page = await domain.experiments.listIncompleteEvaluations({
        experimentRowId: rowId,
        names,
        limit: Math.min(limit, PAGE_ROW_COUNT_MAX),
        fromRowId: cursor ? rowIdIn('ExperimentRun', cursor, `Invalid cursor format: ${cursor}`) : undefined,
      });
      const items = page.items.map(
        ({ run, example, evaluationNames }) =>
          `{"experiment_run":${toRunText(run)},"dataset_example":${toExampleText(example, null, 'null')},` +
          `"evaluation_names":${JSON.stringify(evaluationNames)}}`,
      );
      return pageText(items, cursorTo('ExperimentRun', page.nextRowId));
    },
  }),
];

const evaluationRoute = (): RestRoute =>
  withBatch(createEvaluationRoute(), {
    item: NewEvaluationJson,
    prepare: toNewEvaluation,
    write: (domain, _params, evaluations) => domain.experiments.writeEvaluations(evaluations),
    toId: (rowId) => toGlobalId('ExperimentEvaluation', rowId),
  });

const createEvaluationRoute = () =>
  defineRoute({
    method: 'POST',
    path: '/v1/experiment_evaluations',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'repeatable',
    operationId: 'upsertExperimentEvaluation',
    tag: 'experiments',
    summary: 'Store an evaluation of a run, replacing one of the same name',
    body: NewEvaluationJson,
    success: { status: 200, description: 'The evaluation is durable.', schema: IdJson },
    errors: { 404: 'ExperimentRun with ID <id> does not exist', 422: 'Invalid experiment run ID format: <id>' },
    async handle({ domain, body }) {
      const { runRowId, evaluation } = toNewEvaluation(body);
      const rowId = await domain.experiments.writeEvaluation(runRowId, evaluation);
      return { data: { id: toGlobalId('ExperimentEvaluation', rowId) } };
    },
  });

/** @throws {SpandrelError} for an ID that is not one of a run */
function toNewEvaluation(body: Static<typeof NewEvaluationJson>): EvaluationOfRun {
  const id = body.experiment_run_id;
  const absent = `ExperimentRun with ID ${id} does not exist`;
  const { label = null, score = null, explanation = null, metadata: own } = body.result ?? {};
  const given = body.metadata && Object.keys(body.metadata).length > 0 ? body.metadata : undefined;
  return {
    runRowId: rowIdInNode('ExperimentRun', id, `Invalid experiment run ID format: ${id}`, absent),
    evaluation: {
      name: body.name,
      annotatorKind: body.annotator_kind,
      label,
      score: score === null ? null : Number(score),
      explanation,
      traceId: body.trace_id ?? null,
      error: body.error ?? null,
      metadata: toExactJsonText(given ?? (isJsonObject(own) ? own : {})),
      startMicros: toMicros(body.start_time),
      endMicros: toMicros(body.end_time),
    },
  };
}

const badRequest = (message: string): never => {
  throw new SpandrelError('EVALUATION_NAME_INVALID', message);
};

const toMicros = ({ unixNano }: DateTimeValue): bigint => {
  const micros = unixNano / 1_000n;
  return micros * 1_000n > unixNano ? micros - 1n : micros;
};
const timeText = (micros: bigint): string => formatUnixNano(micros * 1_000n);

const pageText = (items: readonly string[], nextCursor: string | null): JsonText =>
  new JsonText(`{"data":[${items.join(',')}],"next_cursor":${JSON.stringify(nextCursor)}}`);

async function* writeAllRuns(
  { experiments }: Domain,
  rowId: number,
  cursorRowId: number | undefined,
): AsyncGenerator<string> {
  let before = '{"data":[';
  let fromRowId = cursorRowId;
  do {
    const page = await experiments.listRuns({ experimentRowId: rowId, limit: PAGE_ROW_COUNT_MAX, fromRowId });
    if (page.items.length > 0) {
      yield before + page.items.map(toRunText).join(',');
      before = ',';
    }
    fromRowId = page.nextRowId;
  } while (fromRowId !== undefined);
  yield `${before === ',' ? '' : before}],"next_cursor":null}`;
}

const toRunText = (run: ExperimentRun): string =>
  `{"id":"${toGlobalId('ExperimentRun', run.rowId)}",` +
  `"experiment_id":"${toGlobalId('Experiment', run.experimentRowId)}",` +
  `"dataset_example_id":"${toGlobalId('DatasetExample', run.exampleRowId)}","output":${run.output},` +
  `"repetition_number":${run.repetitionNumber},"start_time":"${timeText(run.startMicros)}",` +
  `"end_time":"${timeText(run.endMicros)}","trace_id":${JSON.stringify(run.traceId)},` +
  `"error":${JSON.stringify(run.error)}}`;
