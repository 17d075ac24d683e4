import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  BOOTSTRAP_COUNT_MAX,
  BOOTSTRAP_DRAW_COUNT_MAX,
  COMPARED_SPLIT_COUNT_MAX,
  METADATA_GROUP_COUNT_MAX,
} from '../../../model/limits/comparisons.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import type { Ports } from '../../ports.ts';
import { type Comparison, type ComparisonQuery, checkCompared, findRows, readComparison } from './comparison.ts';
import type { ComparisonGroup, ComparisonMeasure, ComparisonSummary, ComparisonValue } from './comparison-summary.ts';
import { listMeasures, type Measure } from './measures.ts';
import { listNotices } from './notices.ts';
import { differencesByRow, meansByRow } from './paired-values.ts';
import { type CostPorts, startRunCosts } from './run-costs.ts';
import { type Interval, studentInterval, wilsonInterval } from './statistics/intervals.ts';
import { momentsOf } from './statistics/moments.ts';
import { describeDifference, type PairedDifference, REPLICATE_COUNT } from './statistics/paired-difference.ts';
import { toSentence } from './statistics/sentence.ts';
import { rangeOf } from './statistics/value-range.ts';
import { summarizePreferences } from './summarize-preferences.ts';

export interface SummaryQuery extends ComparisonQuery {
  /** Also groups by the values of this key of the examples' metadata. */
  readonly metadataKey?: string | undefined;
}

/** A measure by row: means of every experiment, and differences of all but the baseline. */
interface RowValues {
  readonly measure: Measure;
  readonly isShare: boolean;
  readonly means: readonly Float64Array[];
  readonly differences: readonly Float64Array[];
}

/** Compares experiments on the examples that all of them have. */
export async function summarizeComparison(
  ports: CostPorts & Pick<Ports, 'annotationConfigs'>,
  query: SummaryQuery,
  options: ReadOptions,
): Promise<ComparisonSummary> {
  checkCompared(query.experimentRowIds);
  // The span store and Postgres work at the same time.
  const costs = startRunCosts(ports, query.experimentRowIds, options);
  const comparison = await readComparison(ports, query);
  const [baseline] = comparison.experiments;
  const { metadataKey } = query;
  const [measures, metadataKeys, splits, metadataValues, preferences] = await Promise.all([
    listMeasures(ports, comparison, options, costs),
    ports.experiments.findMetadataKeys(baseline?.rowId ?? 0),
    ports.experiments.findExamplesOfSplits(baseline?.datasetRowId ?? 0, []),
    metadataKey === undefined ? [] : ports.experiments.findMetadataGroups(baseline?.rowId ?? 0, metadataKey),
    ports.experiments.countRunPreferences(query.experimentRowIds),
  ]);
  const common = findCommonRows(comparison);
  const values: RowValues[] = [];
  for (const measure of measures) {
    values.push(toRowValues(comparison, measure));
    await pause(options);
  }
  const groupsOf = (list: typeof metadataValues, countMax: number) =>
    list.slice(0, countMax).flatMap(({ name, exampleRowIds }) => {
      const rows = rowsOf(comparison, exampleRowIds, common.isCommon);
      return rows.length === 0 ? [] : [{ name, rows }];
    });
  const groups = {
    splits: groupsOf(splits, COMPARED_SPLIT_COUNT_MAX),
    metadata: groupsOf(metadataValues, METADATA_GROUP_COUNT_MAX),
  };
  // Differences of groups are many, so that they share a budget for the bootstrap.
  const drawCount = [...groups.splits, ...groups.metadata].reduce(
    (sum, { rows }) => sum + (rows.length <= BOOTSTRAP_COUNT_MAX ? rows.length : 0),
    0,
  );
  const differenceCount = values.length * (comparison.experiments.length - 1);
  const isCheap = drawCount * differenceCount * REPLICATE_COUNT <= BOOTSTRAP_DRAW_COUNT_MAX;
  const describeGroups = async (list: readonly { readonly name: string; readonly rows: Int32Array }[]) => {
    const described: ComparisonGroup[] = [];
    for (const { name, rows } of list) {
      const bootstrapCountMax = isCheap ? BOOTSTRAP_COUNT_MAX : 0;
      const ofGroup = await describe(comparison, values, { rows, seed: name, bootstrapCountMax }, options);
      described.push({ name, exampleCount: rows.length, measures: ofGroup });
    }
    return described;
  };
  const summary = {
    experiments: comparison.experiments,
    exampleCount: comparison.exampleRowIds.length,
    commonExampleCount: common.rows.length,
    metadataKeys,
    measures: await describe(
      comparison,
      values,
      { rows: common.rows, seed: '', bootstrapCountMax: BOOTSTRAP_COUNT_MAX },
      options,
    ),
    splits: await describeGroups(groups.splits),
    metadataGroups: await describeGroups(groups.metadata),
    preferences: summarizePreferences(preferences, comparison.experiments),
  };
  const isTruncated = splits.length > COMPARED_SPLIT_COUNT_MAX || metadataValues.length > METADATA_GROUP_COUNT_MAX;
  return { ...summary, notices: listNotices(comparison, { ...summary, isTruncated }, measures, common.isCommon) };
}

/** Lets other requests run, since the statistics of many examples take hundreds of milliseconds. */
async function pause({ signal }: ReadOptions): Promise<void> {
  await yieldToEventLoop();
  signal?.throwIfAborted();
}

/** Rows of examples that every experiment has, whether it ran them or not. */
export function findCommonRows({ columns, exampleRowIds }: Comparison): {
  readonly isCommon: Uint8Array;
  readonly rows: Int32Array;
} {
  const counts = new Uint8Array(exampleRowIds.length);
  for (const column of columns) {
    const found = findRows(column.exampleRowIds, exampleRowIds);
    for (let index = 0; index < found.length; index++) {
      const row = found[index] as number;
      if (row >= 0) counts[row] = (counts[row] as number) + 1;
    }
  }
  const isCommon = new Uint8Array(counts.length);
  const rows = new Int32Array(counts.length);
  let count = 0;
  for (let row = 0; row < counts.length; row++) {
    if (counts[row] !== columns.length) continue;
    isCommon[row] = 1;
    rows[count++] = row;
  }
  return { isCommon, rows: rows.subarray(0, count) };
}

function rowsOf({ exampleRowIds }: Comparison, wanted: Float64Array, isCommon: Uint8Array): Int32Array {
  return findRows(wanted.toSorted(), exampleRowIds).filter((row) => row >= 0 && isCommon[row] === 1);
}

function toRowValues(comparison: Comparison, measure: Measure): RowValues {
  const { values } = measure;
  const means = values.map((column, index) =>
    meansByRow(column, comparison.rowsOfRuns[index] as Int32Array, comparison.exampleRowIds.length),
  );
  return {
    measure,
    isShare: rangeOf(values).isShare,
    means,
    differences: values.slice(1).map((_, index) => differencesByRow(comparison, values, index + 1, means)),
  };
}

interface Sample {
  readonly rows: Int32Array;
  readonly seed: string;
  readonly bootstrapCountMax: number;
}

async function describe(
  { experiments }: Comparison,
  values: readonly RowValues[],
  { rows, seed, bootstrapCountMax }: Sample,
  options: ReadOptions,
): Promise<ComparisonMeasure[]> {
  const found: { readonly value: RowValues; readonly differences: PairedDifference[] }[] = [];
  // Each sample is read before the next one takes its place.
  const scratch = new Float64Array(rows.length);
  for (const value of values) {
    const { key, isBinary } = value.measure;
    const differences = value.differences.map((column, index) =>
      describeDifference(pick(column, rows, scratch), {
        direction: directionOf(value.measure),
        isBinary,
        seed: `${experiments[0]?.rowId}:${experiments[index + 1]?.rowId}:${key}:${seed}`,
        bootstrapCountMax,
      }),
    );
    found.push({ value, differences });
    await pause(options);
  }
  const latency = found.find(({ value }) => value.measure.kind === 'LATENCY');
  // One sentence about an experiment tells the latency, too: that of its first score.
  const firstScores = experiments
    .slice(1)
    .map((_, index) =>
      found.find(({ value, differences }) => value.measure.kind === 'SCORE' && (differences[index]?.count ?? 0) > 0),
    );
  return found.map(({ value: { measure, isShare, means }, differences }) => {
    const { key, name, kind, direction, isBinary } = measure;
    return {
      ...{ key, name, kind, direction, isBinary },
      values: means.map((column, index) => {
        const difference = index === 0 ? undefined : differences[index - 1];
        const isFirst = firstScores[index - 1]?.value.measure === measure;
        const about = { name, kind, isShare, direction: directionOf(measure) };
        return {
          ...describeMean(pick(column, rows, scratch), isBinary),
          difference: difference
            ? {
                ...difference,
                sentence: toSentence(about, difference, isFirst ? latency?.differences[index - 1] : undefined),
              }
            : null,
        };
      }),
    };
  });
}

function describeMean(values: Float64Array, isBinary: boolean): Omit<ComparisonValue, 'difference'> {
  const moments = momentsOf(values);
  const { count, mean } = moments;
  // Means over repetitions are not yes/no values.
  const isShare = isBinary && rangeOf([values]).isBinary;
  const interval: Interval | undefined = isShare
    ? wilsonInterval(Math.round(mean * count), count)
    : studentInterval(moments);
  return {
    count,
    mean: count === 0 ? null : mean,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}

const directionOf = ({ direction }: Measure): 1 | -1 | 0 =>
  direction === 'NONE' ? 0 : direction === 'MINIMIZE' ? -1 : 1;

/** Values of these rows, without missing ones, at the beginning of an array of at least as many. */
function pick(column: Float64Array, rows: Int32Array, picked: Float64Array): Float64Array {
  let count = 0;
  for (let index = 0; index < rows.length; index++) {
    const value = column[rows[index] as number] as number;
    if (!Number.isNaN(value)) picked[count++] = value;
  }
  return picked.subarray(0, count);
}
