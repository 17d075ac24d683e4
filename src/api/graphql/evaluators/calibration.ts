import type { Calibration, CalibrationItem, ItemFilter } from '../../../model/evaluators/calibration.ts';
import type {
  CalibrationProgress,
  CalibrationReport,
} from '../../../domain/evaluators/calibration/compare-calibrations.ts';
import type { CalibrationMeasures } from '../../../domain/evaluators/calibration/measure-calibration.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { authorRef } from '../access/user.ts';
import { checkCappedPage, type PageArguments } from '../arguments.ts';
import { keysetConnection, offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { parseCursor, toCursor } from '../cursor.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import {
  calibrationRef,
  datasetEvaluatorRef,
  datasetRef,
  fromRow,
  id,
  missing,
  type NodeRef,
  projectRef,
  promptVersionRef,
  type Resolvers,
  runRef,
  sessionRef,
  spanRef,
  traceRef,
} from '../resolvers.ts';

/** Calibrations as a field of the evaluator. */
export const calibrationsOfEvaluator: Resolvers = {
  async calibrations({ rowId }: NodeRef, args: PageArguments, { domain, items }: GraphqlContext) {
    const found = await domain.calibrations.list(rowId);
    return offsetConnection(found, args, (calibration) => calibrationRef(calibration.rowId), items);
  },
};

const row = fromRow(({ calibrations }) => calibrations);

/** A field that is computed from the results so far. */
const fromReport =
  (read: (report: CalibrationReport, calibration: Calibration) => unknown) =>
  (node: NodeRef, _args: unknown, { loaders }: GraphqlContext) =>
    whenKnown(loaders.calibrations.load(node.rowId), (calibration = missing(node)) =>
      whenKnown(loaders.reportsOfCalibrations.load(node.rowId), (report = missing(node)) => read(report, calibration)),
    );

export const calibrationResolvers: Resolvers = {
  id,
  datasetEvaluator: row(({ datasetEvaluatorRowId }) => datasetEvaluatorRef(datasetEvaluatorRowId)),
  evaluatorName: row(({ evaluatorName }) => evaluatorName),
  promptVersion: row(({ promptVersionRowId }) =>
    promptVersionRowId === null ? null : promptVersionRef(promptVersionRowId),
  ),
  outputName: row(({ outputConfig }) => outputConfig.name),
  annotationName: row(({ annotationName }) => annotationName),
  project: row(({ source }) => (source.type === 'project' ? projectRef(source.projectRowId) : null)),
  target: row(({ source }) => (source.type === 'project' ? source.target.toUpperCase() : null)),
  dataset: row(({ source }) => (source.type === 'dataset' ? datasetRef(source.datasetRowId) : null)),
  heldOutShare: row(({ heldOutShare }) => heldOutShare),
  concurrency: row(({ concurrency }) => concurrency),
  status: row(({ status }) => status),
  reason: row(({ reason }) => reason),
  createdAt: row(({ createdAt }) => createdAt),
  endedAt: row(({ endedAt }) => endedAt),
  user: row(authorRef),
  progress: fromReport(({ progress }, calibration) => toProgress(progress, calibration)),
  all: fromReport(({ all }) => toMeasures(all)),
  tuning: fromReport(({ tuning }) => toMeasures(tuning)),
  heldOut: fromReport(({ heldOut }) => toMeasures(heldOut)),
  async items(
    { rowId }: NodeRef,
    args: PageArguments & { readonly filter?: ItemFilterInput | null },
    { domain, items, loaders }: GraphqlContext,
  ) {
    // After the status: a calibration that has ended has the results of all its items.
    await loaders.calibrations.load(rowId);
    const { items: found, hasNext } = await domain.calibrations.listItems(rowId, {
      ...{ filter: toFilter(args.filter), limit: checkCappedPage(args) },
      afterRowId: args.after ? parseCursor(args.after, undefined).rowId : 0,
    });
    const edges = found.map((item) => ({ cursor: toCursor({ rowId: item.rowId }, undefined), node: item }));
    return keysetConnection(edges, hasNext ? edges.at(-1)?.cursor : undefined, items);
  },
};

type ItemFilterInput = { readonly [Name in keyof ItemFilter]: ItemFilter[Name] | null };

const toFilter = (given: ItemFilterInput | null | undefined): ItemFilter =>
  Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null));

const toProgress = ({ itemCount, costUsd, ...progress }: CalibrationProgress, calibration: Calibration) => {
  const { doneCount, meanLatencyMs } = progress;
  const isEstimated = calibration.status === 'RUNNING' && meanLatencyMs !== null;
  return {
    ...progress,
    targetCount: itemCount,
    cost: costUsd,
    remainingSeconds: isEstimated ? ((itemCount - doneCount) * meanLatencyMs) / 1_000 / calibration.concurrency : null,
  };
};

export const toMeasures = ({ itemCount, ...measures }: CalibrationMeasures) => ({
  ...measures,
  targetCount: itemCount,
});

export const calibrationItemResolvers: Resolvers = {
  id: ({ rowId }: CalibrationItem) => toGlobalId('CalibrationItem', rowId),
  target: ({ target }: CalibrationItem, _args: unknown, context: GraphqlContext) => findTarget(target, context),
  isHeldOut: ({ isHeldOut }: CalibrationItem) => isHeldOut,
  humanLabel: ({ human }: CalibrationItem) => human.label,
  humanScore: ({ human }: CalibrationItem) => human.score,
  humanCount: ({ humanCount }: CalibrationItem) => humanCount,
  isDone: ({ evaluated }: CalibrationItem) => evaluated !== null,
  isDisagreement: ({ human, evaluated }: CalibrationItem) => {
    if (!evaluated) return false;
    if (human.label !== null && evaluated.judge.label !== null) return human.label !== evaluated.judge.label;
    return human.score !== null && evaluated.judge.score !== null && human.score !== evaluated.judge.score;
  },
  judgeLabel: ({ evaluated }: CalibrationItem) => evaluated?.judge.label ?? null,
  judgeScore: ({ evaluated }: CalibrationItem) => evaluated?.judge.score ?? null,
  explanation: ({ evaluated }: CalibrationItem) => evaluated?.explanation ?? null,
  error: ({ evaluated }: CalibrationItem) => evaluated?.error ?? null,
  latencyMs: ({ evaluated }: CalibrationItem) => evaluated?.latencyMs ?? null,
  cost: ({ evaluated }: CalibrationItem) => evaluated?.costUsd ?? null,
  traceId: ({ evaluated }: CalibrationItem) => evaluated?.traceId ?? null,
  trace: async ({ evaluated }: CalibrationItem, _args: unknown, { loaders }: GraphqlContext) => {
    const rowId = evaluated?.traceId ? await loaders.traceRowIds.load(evaluated.traceId) : undefined;
    return rowId === undefined ? null : traceRef(rowId);
  },
};

/** Null unless the caller may read it. */
function findTarget({ type, rowId }: CalibrationItem['target'], { loaders }: GraphqlContext) {
  const orNull = (ref: NodeRef) => (found: unknown) => (found === undefined ? null : ref);
  switch (type) {
    case 'span':
      return whenKnown(loaders.spans.load(rowId), orNull(spanRef(rowId)));
    case 'trace':
      return whenKnown(loaders.traces.load(rowId), orNull(traceRef(rowId)));
    case 'session':
      return whenKnown(loaders.sessions.load(rowId), orNull(sessionRef(rowId)));
    case 'run':
      return whenKnown(loaders.runs.load(rowId), orNull(runRef(rowId)));
  }
}
