import type { EvaluationSummary, ExperimentSort } from '../../../model/experiment.ts';
import { readStoredObject } from '../../../domain/datasets/json-object.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { authorRef } from '../access/user.ts';
import { type PageArguments, reject } from '../arguments.ts';
import { offsetConnection, offsetPage } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { NO_SUMMARY, toCostEntries, toCostSummary } from '../models/cost.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import {
  datasetRef,
  datasetSplitRef,
  datasetVersionRef,
  experimentRef,
  fromRow,
  id,
  type NodeRef,
  projectRef,
  type Resolvers,
  runRef,
} from '../resolvers.ts';

type ExperimentRef = NodeRef<'Experiment'>;

const row = fromRow(({ experiments }) => experiments);

export const experimentResolvers: Resolvers = {
  id,
  name: row(({ name }) => name),
  description: row(({ description }) => description),
  metadata: row(({ metadata }) => readStoredObject(metadata)),
  projectName: row(({ projectName }) => projectName),
  repetitions: row(({ repetitions }) => repetitions),
  dataset: row(({ datasetRowId }) => datasetRef(datasetRowId)),
  datasetVersion: row(({ datasetVersionRowId }) => datasetVersionRef(datasetVersionRowId)),
  createdAt: row(({ createdAt }) => createdAt),
  updatedAt: row(({ updatedAt }) => updatedAt),
  lastUpdatedAt: row(({ updatedAt }) => updatedAt),
  user: row(authorRef),
  isEphemeral: row(({ isEphemeral }) => isEphemeral),
  isBaseline: row(({ rowId, datasetRowId }, { loaders }) =>
    whenKnown(loaders.baselinesOfDatasets.load(datasetRowId), (baseline) => baseline === rowId),
  ),
  sequenceNumber: ({ rowId }: ExperimentRef, _args: unknown, { loaders }) =>
    loaders.sequenceNumbersOfExperiments.load(rowId),
  runCount: row(({ successfulRunCount, failedRunCount }) => successfulRunCount + failedRunCount),
  expectedRunCount: row(({ exampleCount, repetitions }) => exampleCount * repetitions),
  runs: listRuns,
  errorRate: ({ rowId }: ExperimentRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.summariesOfExperiments.load(rowId), (summary) => summary?.errorRate ?? null),
  averageRunLatencyMs: ({ rowId }: ExperimentRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.summariesOfExperiments.load(rowId), (summary) => summary?.averageLatencyMs ?? null),
  annotationSummaries: (
    { rowId }: ExperimentRef,
    { annotationName }: { readonly annotationName?: string | null },
    { loaders },
  ) =>
    whenKnown(loaders.summariesOfExperiments.load(rowId), (summary) =>
      (summary?.evaluations ?? [])
        .filter(({ name }) => annotationName == null || name === annotationName)
        .map(toSummary),
    ),
  project: ({ rowId }: ExperimentRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.projectsOfExperiments.load(rowId), (project) =>
      project === undefined ? null : projectRef(project),
    ),
  datasetSplits: ({ rowId }: ExperimentRef, _args: unknown, { loaders, items }) =>
    whenKnown(loaders.splitIdsOfExperiments.load(rowId), (splits = []) =>
      offsetConnection(splits, {}, datasetSplitRef, items),
    ),
  costSummary: ({ rowId }: ExperimentRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.costsOfExperiments.load(rowId), (costs) => (costs ? toCostSummary(costs) : NO_SUMMARY)),
  costDetailSummaryEntries: ({ rowId }: ExperimentRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.costTypesOfExperiments.load(rowId), toCostEntries),
};

const tag = fromRow(({ experimentTags }) => experimentTags);

export const experimentTagResolvers: Resolvers = {
  id,
  experimentId: tag(({ experimentRowId }) => toGlobalId('Experiment', experimentRowId)),
  name: tag(({ name }) => name),
  description: tag(({ description }) => description),
};

interface RunsArguments extends PageArguments {
  readonly sort?: {
    readonly col: { readonly metric?: string | null; readonly annotationName?: string | null };
    readonly dir: string;
  } | null;
}

async function listRuns({ rowId }: ExperimentRef, args: RunsArguments, { domain, items }: GraphqlContext) {
  const { first, sort } = args;
  if (typeof first === 'number' && first <= 0) reject('first must be a positive integer if set');
  const by = sort && (sort.col.annotationName == null ? 'latency' : { evaluation: sort.col.annotationName });
  return offsetPage(
    args,
    (offset, limit) =>
      domain.experiments.findRunIds({
        experimentRowId: rowId,
        ...(by && { sort: { by, isDescending: sort.dir === 'desc' } }),
        offset,
        limit,
      }),
    runRef,
    items,
  );
}

const toSummary = ({ name, labels, percentiles, ...summary }: EvaluationSummary): object => ({
  ...summary,
  percentiles: percentiles ?? [],
  annotationName: name,
  labelFractions: labels.map(({ label, count }) => ({ label, fraction: count / summary.labelCount })),
});

interface EphemeralArguments {
  readonly includeEphemeral?: boolean | null;
}

interface ExperimentsArguments extends PageArguments, EphemeralArguments {
  readonly filterCondition?: string | null;
  readonly filterIds?: readonly string[] | null;
  readonly groupBy?: string | null;
  readonly sort?: {
    readonly col: {
      readonly field?: Exclude<ExperimentSort['by'], object> | null;
      readonly annotationName?: string | null;
    };
    readonly dir: 'asc' | 'desc';
  } | null;
}

function toSort(sort: ExperimentsArguments['sort']): ExperimentSort | undefined {
  if (!sort) return undefined;
  const { field, annotationName } = sort.col;
  return { by: field ?? { meanScore: annotationName ?? '' }, isDescending: sort.dir === 'desc' };
}

/** Experiments as fields of their dataset. */
export const experimentsOfDataset: Resolvers = {
  async experiments({ rowId }: NodeRef, args: ExperimentsArguments, { domain, items }) {
    const { filterCondition, filterIds, includeEphemeral, groupBy } = args;
    const ids = await domain.experiments.findIds({
      datasetRowId: rowId,
      includesEphemeral: includeEphemeral === true,
      ...(filterCondition && { textContains: filterCondition }),
      sort: toSort(args.sort),
      metadataKey: groupBy ?? undefined,
      ...(filterIds && { rowIds: rowIdsOfNodes('Experiment', filterIds) }),
    });
    return offsetConnection(ids, args, experimentRef, items);
  },
  async experimentCount(
    { rowId }: NodeRef,
    { datasetVersionId, includeEphemeral }: { readonly datasetVersionId?: string | null } & EphemeralArguments,
    { domain, loaders },
  ) {
    if (!datasetVersionId && !includeEphemeral) return (await loaders.experimentCountsOfDatasets.load(rowId)) ?? 0;
    const counts = await domain.experiments.countOfDatasets([rowId], {
      ...(datasetVersionId && { versionRowId: rowIdOfNode('DatasetVersion', datasetVersionId) }),
      includesEphemeral: includeEphemeral === true,
    });
    return counts.get(rowId) ?? 0;
  },
  baselineExperiment: ({ rowId }: NodeRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.baselinesOfDatasets.load(rowId), (baseline) =>
      baseline === undefined ? null : experimentRef(baseline),
    ),
  async experimentAnnotationSummaries({ rowId }: NodeRef, { includeEphemeral }: EphemeralArguments, { domain }) {
    const ranges = await domain.experiments.findScoreRanges(rowId, { includesEphemeral: includeEphemeral === true });
    return ranges.map(({ name, ...range }) => ({ annotationName: name, ...range }));
  },
};
