import { parseExactJson } from '../../../base/parse-exact-json.ts';
import type { ExperimentEvaluation, RunOfRevision } from '../../../model/experiment.ts';
import { readStoredObject } from '../../../domain/datasets/json-object.ts';
import type { Costs, CostsOfType } from '../../../domain/domain.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import type { Loaders } from '../loaders.ts';
import { NO_SUMMARY, toCostEntries, toCostSummary } from '../models/cost.ts';
import { rowIdsOfNodes } from '../node.ts';
import { exampleRef, fromRow, id, type NodeRef, type Resolvers, runRef, traceRef } from '../resolvers.ts';
import { sumCosts, sumCostsOfTypes } from './experiment-costs.ts';
import { groupKey } from './experiment-loaders.ts';
import { type GroupRef, groupRef, toGroupId } from './run-group.ts';

type RunRef = NodeRef<'ExperimentRun'>;

const row = fromRow(({ runs }) => runs);

export const runResolvers: Resolvers = {
  id,
  experimentId: row(({ experimentRowId }) => toGlobalId('Experiment', experimentRowId)),
  repetitionNumber: row(({ repetitionNumber }) => repetitionNumber),
  traceId: row(({ traceId }) => traceId),
  output: row(({ output }) => parseExactJson(output, { depthMax: Number.POSITIVE_INFINITY })),
  error: row(({ error }) => error),
  isCached: row(({ isCached }) => isCached),
  startTime: row(({ startMicros }) => startMicros * 1_000n),
  endTime: row(({ endMicros }) => endMicros * 1_000n),
  latencyMs: row(latencyMs),
  example: row(({ exampleRowId, revisionRowId }) => exampleRef(exampleRowId, revisionRowId)),
  trace: row(({ traceId }, { loaders }) => findTrace(traceId, loaders)),
  annotations: ({ rowId }: RunRef, args: PageArguments, { loaders, items }) =>
    whenKnown(loaders.evaluationsOfRuns.load(rowId), (evaluations = []) =>
      offsetConnection(evaluations, args, toAnnotation, items),
    ),
  personAnnotations: ({ rowId }: RunRef, _args: unknown, { loaders, items }) =>
    whenKnown(loaders.personAnnotationsOfRuns.load(rowId), (annotations = []) => {
      items.take(annotations.length);
      return annotations.map(({ authorName, ...annotation }) => ({ ...annotation, author: authorName }));
    }),
  costSummary: row((run, { loaders }) => readCostSummary([run], loaders)),
  costDetailSummaryEntries: row((run, { loaders }) => readCostEntries([run], loaders)),
};

function latencyMs({ startMicros, endMicros }: RunOfRevision): number {
  return Number(endMicros - startMicros) / 1_000;
}

export const findTrace = async (traceId: string | null, loaders: Loaders): Promise<NodeRef | null> => {
  const rowId = traceId === null ? undefined : await loaders.traceRowIds.load(traceId);
  return rowId === undefined ? null : traceRef(rowId);
};

export const toAnnotation = (evaluation: ExperimentEvaluation): object => {
  const { rowId, metadata, startMicros, endMicros, ...rest } = evaluation;
  return {
    ...rest,
    type: 'ExperimentRunAnnotation',
    id: toGlobalId('ExperimentRunAnnotation', rowId),
    metadata: readStoredObject(metadata),
    startTime: startMicros * 1_000n,
    endTime: endMicros * 1_000n,
  };
};

export const runAnnotationResolvers: Resolvers = {
  trace: ({ traceId }: Pick<ExperimentEvaluation, 'traceId'>, _args: unknown, { loaders }) =>
    findTrace(traceId, loaders),
};

export const groupResolvers: Resolvers = {
  id: toGroupId,
  experimentId: ({ experimentRowId }: GroupRef) => toGlobalId('Experiment', experimentRowId),
  runs: (group: GroupRef, _args: unknown, { loaders, items }) =>
    whenKnown(runsOf(group, loaders), (runs) => {
      items.take(runs.length);
      return runs.map(({ rowId }) => runRef(rowId));
    }),
  averageLatencyMs: (group: GroupRef, _args: unknown, { loaders }) =>
    whenKnown(runsOf(group, loaders), (runs) => mean(runs.map(latencyMs))),
  async annotationSummaries(group: GroupRef, _args: unknown, { loaders }: GraphqlContext) {
    const scores = new Map<string, number[]>();
    for (const evaluations of await evaluationsOf(group, loaders)) {
      for (const { name, score } of evaluations) {
        scores.set(name, [...(scores.get(name) ?? []), ...(score === null ? [] : [score])]);
      }
    }
    return [...scores]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([annotationName, list]) => ({ annotationName, meanScore: mean(list) }));
  },
  costSummary: (group: GroupRef, _args: unknown, { loaders }) =>
    whenKnown(runsOf(group, loaders), (runs) => readCostSummary(runs, loaders)),
  costDetailSummaryEntries: (group: GroupRef, _args: unknown, { loaders }) =>
    whenKnown(runsOf(group, loaders), (runs) => readCostEntries(runs, loaders)),
};

const runsOf = ({ experimentRowId, exampleRowId }: GroupRef, loaders: Loaders) =>
  whenKnown(loaders.runsOfExamples.load(groupKey(experimentRowId, exampleRowId)), (runs = []) => runs);

const evaluationsOf = async (group: GroupRef, loaders: Loaders): Promise<ExperimentEvaluation[][]> =>
  Promise.all(
    (await runsOf(group, loaders)).map(async ({ rowId }) => (await loaders.evaluationsOfRuns.load(rowId)) ?? []),
  );

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Distinct row ids of the stored traces of runs. */
async function tracesOf(runs: readonly RunOfRevision[], loaders: Loaders): Promise<number[]> {
  const traceIds = new Set(runs.flatMap(({ traceId }) => traceId ?? []));
  const rowIds = await Promise.all(Array.from(traceIds, (traceId) => loaders.traceRowIds.load(traceId)));
  return rowIds.flatMap((rowId) => rowId ?? []);
}

async function readCostSummary(runs: readonly RunOfRevision[], loaders: Loaders): Promise<object> {
  const found = await Promise.all((await tracesOf(runs, loaders)).map((rowId) => loaders.costsOf.traces.load(rowId)));
  const costs = found.filter((one): one is Costs => one !== undefined);
  return costs.length > 0 ? toCostSummary(sumCosts(costs)) : NO_SUMMARY;
}

async function readCostEntries(runs: readonly RunOfRevision[], loaders: Loaders): Promise<object[]> {
  const rowIds = await tracesOf(runs, loaders);
  const found = await Promise.all(rowIds.map((rowId) => loaders.costTypesOf.traces.load(rowId)));
  return toCostEntries(sumCostsOfTypes(found.flatMap((types): readonly CostsOfType[] => types ?? [])));
}

/** Runs as fields of their example. */
export const runsOfExample: Resolvers = {
  async experimentRuns(
    { rowId }: NodeRef,
    args: PageArguments & { readonly experimentIds?: readonly string[] | null },
    { domain, loaders, items }: GraphqlContext,
  ) {
    const example = (await loaders.examples.load(rowId))?.datasetRowId;
    const all = args.experimentIds
      ? rowIdsOfNodes('Experiment', args.experimentIds)
      : await domain.experiments.findIds({ datasetRowId: example ?? 0, includesEphemeral: true });
    const experimentRowIds = [...new Set(all)].sort((a, b) => a - b);
    const runs = await Promise.all(
      experimentRowIds.map((experimentRowId) => runsOf(groupRef(experimentRowId, rowId), loaders)),
    );
    return offsetConnection(runs.flat(), args, (run) => runRef(run.rowId), items);
  },
  experimentRepeatedRunGroups: (
    { rowId }: NodeRef,
    { experimentIds }: { readonly experimentIds: readonly string[] },
    { items },
  ) => {
    items.take(experimentIds.length);
    return rowIdsOfNodes('Experiment', experimentIds).map((experimentRowId) => groupRef(experimentRowId, rowId));
  },
};
