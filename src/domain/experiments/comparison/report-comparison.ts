import type { Dataset } from '../../../model/dataset.ts';
import { REPORT_REGRESSION_COUNT } from '../../../model/limits/comparisons.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import type { Ports } from '../../ports.ts';
import { readComparison } from './comparison.ts';
import type { ComparisonSummary } from './comparison-summary.ts';
import { type ComparedRow, type RowsQuery, readRows } from './list-rows.ts';
import { FIRST_MEASURE, findMeasure, type Measure } from './measures.ts';
import { differencesByRow } from './paired-values.ts';
import type { CostPorts } from './run-costs.ts';
import { selectRows, signOf } from './select-rows.ts';
import { type SummaryQuery, summarizeComparison } from './summarize-comparison.ts';

/** A comparison for readers without access to the server. */
export interface ComparisonReport {
  readonly dataset: Dataset | undefined;
  readonly summary: ComparisonSummary;
  /** For each experiment but the baseline, the examples that are worse by the most on a measure. */
  readonly regressions: readonly Regressions[];
}

export interface Regressions {
  /** Index of the experiment. */
  readonly experiment: number;
  readonly measure: Pick<Measure, 'key' | 'name' | 'kind'>;
  readonly rows: readonly (ComparedRow & { readonly difference: number })[];
}

type Reads = CostPorts & Pick<Ports, 'annotationConfigs' | 'caller' | 'datasets'>;

/** @throws {SpandrelError} as for the summary */
export async function reportComparison(
  ports: Reads,
  query: SummaryQuery & Pick<RowsQuery, 'filter' | 'sort'>,
  options: ReadOptions,
): Promise<ComparisonReport> {
  const summary = await summarizeComparison(ports, query, options);
  const [baseline] = summary.experiments;
  const dataset = baseline && (await ports.datasets.find({ rowId: baseline.datasetRowId }));
  const comparison = await readComparison(ports, query);
  const measure = await findMeasure(ports, comparison, query.sort?.by ?? FIRST_MEASURE, options);
  if (!measure) return { dataset, summary, regressions: [] };
  const regressions: Regressions[] = [];
  for (const [index, { rowId }] of summary.experiments.entries()) {
    if (index === 0) continue;
    const sort = { by: measure.key, experimentRowId: rowId, isDescending: false };
    const { rows: selected } = await selectRows(ports, comparison, { filter: query.filter, sort }, options);
    const differences = differencesByRow(comparison, measure.values, index);
    const worst = selected
      .filter((row) => signOf(measure) * (differences[row] as number) < 0)
      .subarray(0, REPORT_REGRESSION_COUNT);
    const rows = await readRows(ports, comparison, worst, options);
    regressions.push({
      experiment: index,
      measure,
      rows: rows.map((row) => ({ ...row, difference: differences[row.position] as number })),
    });
  }
  return { dataset, summary, regressions };
}
