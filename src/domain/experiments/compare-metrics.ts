import { expectPresent } from '../../base/expect-present.ts';
import { groupBy } from '../../base/group-by.ts';
import type { Costs } from '../../span-store/contract/costs.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import { toRowIds } from '../../span-store/contract/rows.ts';
import type { Ports } from '../ports.ts';

/**
 * Number of examples on which the best of the compared experiments did worse than the base, better, or equally well.
 */
export interface MetricComparison {
  /** The value of the base is lower. */
  numRunsImproved: number;
  numRunsRegressed: number;
  numRunsEqual: number;
  /** The base ran the example, and one side has no value. */
  numRunsWithoutComparison: number;
}

/** Metrics of a run. A lower value is better; undefined means unknown. */
const METRICS = {
  latency: ({ latencyMs }) => latencyMs,
  totalTokenCount: ({ costs }) => costs && costs.tokensPrompt + costs.tokensCompletion,
  promptTokenCount: ({ costs }) => costs?.tokensPrompt,
  completionTokenCount: ({ costs }) => costs?.tokensCompletion,
  totalCost: ({ costs }) => costs && sumOf(costs.promptPico, costs.completionPico),
  promptCost: ({ costs }) => costs?.promptPico ?? undefined,
  completionCost: ({ costs }) => costs?.completionPico ?? undefined,
} as const satisfies Record<string, (run: MeasuredRun) => number | undefined>;

export type MetricComparisons = Record<keyof typeof METRICS, MetricComparison>;

interface MeasuredRun {
  readonly latencyMs: number;
  /** Costs of the trace of the run. */
  readonly costs: Costs | undefined;
}

const sumOf = (prompt: number | null, completion: number | null): number | undefined =>
  prompt === null && completion === null ? undefined : (prompt ?? 0) + (completion ?? 0);

/** Number of examples whose runs are in memory at once. */
const EXAMPLE_COUNT = 1_000;

/**
 * Compares the base with the best of the others, example by example. The value of an experiment on an example is the mean
 * over its repetitions.
 *
 * @param experimentRowIds the base first
 */
export async function compareMetrics(
  { experiments, spans }: Pick<Ports, 'experiments' | 'spans'>,
  experimentRowIds: readonly number[],
  options: ReadOptions,
): Promise<MetricComparisons> {
  const comparisons = mapMetrics(() => ({
    numRunsImproved: 0,
    numRunsRegressed: 0,
    numRunsEqual: 0,
    numRunsWithoutComparison: 0,
  }));
  const [base, ...compared] = experimentRowIds;
  for (let afterRowId = 0; ; ) {
    options.signal?.throwIfAborted();
    const page = await experiments.findComparedExamples({ experimentRowIds, afterRowId, limit: EXAMPLE_COUNT });
    const runs = await experiments.measureRuns(
      experimentRowIds,
      page.map(({ rowId }) => rowId),
    );
    const costs = await findCostsOfTraces(
      spans,
      runs.flatMap(({ traceId }) => traceId ?? []),
      options,
    );
    const toMeasured = ({ latencyMs, traceId }: (typeof runs)[number]): MeasuredRun => ({
      latencyMs,
      costs: traceId === null ? undefined : costs.get(traceId),
    });
    for (const ofExample of groupBy(
      runs,
      ({ exampleRowId }) => exampleRowId,
      (run) => run,
    ).values()) {
      const measured = groupBy(ofExample, ({ experimentRowId }) => experimentRowId, toMeasured);
      const baseRuns = base === undefined ? undefined : measured.get(base);
      if (!baseRuns) continue;
      const others = compared.map((experiment) => measured.get(experiment) ?? []);
      for (const metric of METRIC_NAMES) {
        const ofBase = meanOf(baseRuns, METRICS[metric]);
        const known = others.flatMap((list) => meanOf(list, METRICS[metric]) ?? []);
        comparisons[metric][outcome(ofBase, known.length > 0 ? Math.min(...known) : undefined)] += 1;
      }
    }
    if (page.length < EXAMPLE_COUNT) return comparisons;
    afterRowId = expectPresent(page.at(-1), 'the page is full').rowId;
  }
}

const METRIC_NAMES = Object.keys(METRICS) as (keyof typeof METRICS)[];

const mapMetrics = <Value>(make: () => Value): Record<keyof typeof METRICS, Value> =>
  Object.fromEntries(METRIC_NAMES.map((name) => [name, make()])) as Record<keyof typeof METRICS, Value>;

function outcome(base: number | undefined, compared: number | undefined): keyof MetricComparison {
  if (base === undefined || compared === undefined) return 'numRunsWithoutComparison';
  if (compared === base) return 'numRunsEqual';
  return compared > base ? 'numRunsImproved' : 'numRunsRegressed';
}

/** Mean of the known values of the runs. */
function meanOf(runs: readonly MeasuredRun[], measure: (run: MeasuredRun) => number | undefined): number | undefined {
  const values = runs.flatMap((run) => measure(run) ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

async function findCostsOfTraces(
  spans: Ports['spans'],
  traceIds: readonly string[],
  options: ReadOptions,
): Promise<Map<string, Costs>> {
  if (traceIds.length === 0) return new Map();
  const rowIds = toRowIds(await spans.findByIds({ of: 'traces', ids: [...new Set(traceIds)] }, options));
  if (rowIds.size === 0) return new Map();
  const costs = await spans.get({ of: 'traces', column: 'costs', rowIds: [...rowIds.values()] }, options);
  return new Map(
    [...rowIds].flatMap(([traceId, rowId]) => {
      const found = costs.get(rowId);
      return found ? [[traceId, found] as const] : [];
    }),
  );
}
