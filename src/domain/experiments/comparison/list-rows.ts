import { groupBy } from '../../../base/group-by.ts';
import type { ExperimentEvaluation } from '../../../model/experiment.ts';
import type { ComparedExample, ComparedRun, RunPreference } from '../../../model/experiment-comparison.ts';
import type { Costs } from '../../../span-store/contract/costs.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import { toRowIds } from '../../../span-store/contract/rows.ts';
import type { Ports } from '../../ports.ts';
import { isOwn } from '../person-annotations.ts';
import { type Comparison, type ComparisonQuery, readComparison } from './comparison.ts';
import { meansByRow } from './paired-values.ts';
import type { CostPorts } from './run-costs.ts';
import { type RowFilter, type RowSort, type SelectedRows, selectRows } from './select-rows.ts';

export interface RowsQuery extends ComparisonQuery {
  readonly filter?: RowFilter | undefined;
  readonly sort?: RowSort | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A score of an evaluator or of a person. */
export interface ComparedScore
  extends Pick<ExperimentEvaluation, 'name' | 'score' | 'label' | 'explanation' | 'annotatorKind'> {
  /** An annotation of a person, not of an evaluator. */
  readonly isPerson: boolean;
  /** Written by the caller. */
  readonly isMine: boolean;
  /** Name of the person. Null for evaluators, without sign-in and for a deleted user. */
  readonly author: string | null;
  /** To the baseline's mean of this example. Null for the baseline and without a score. */
  readonly difference: number | null;
}

export interface DetailedRun extends ComparedRun {
  readonly costs: Costs | undefined;
  /** Project of the trace, if it is stored and the caller may see it. */
  readonly projectRowId: number | undefined;
  readonly scores: readonly ComparedScore[];
}

export interface ComparedRow {
  /** Index in the baseline's examples. */
  readonly position: number;
  readonly example: ComparedExample;
  readonly splits: readonly string[];
  /** Runs by repetition, for each experiment. */
  readonly runs: readonly (readonly DetailedRun[])[];
  readonly preferences: readonly (RunPreference & { readonly isMine: boolean })[];
}

type Reads = CostPorts & Pick<Ports, 'annotationConfigs' | 'caller'>;

export interface ListedRows extends Pick<SelectedRows, 'sortedBy'> {
  readonly totalCount: number;
  readonly rows: readonly ComparedRow[];
}

/** A window of the rows of a comparison. */
export async function listComparedRows(ports: Reads, query: RowsQuery, options: ReadOptions): Promise<ListedRows> {
  const comparison = await readComparison(ports, query);
  const { rows, sortedBy } = await selectRows(ports, comparison, query, options);
  const shown = rows.subarray(query.offset, query.offset + query.limit);
  return { totalCount: rows.length, sortedBy, rows: await readRows(ports, comparison, shown, options) };
}

/** Texts, runs and scores of these rows. */
export async function readRows(
  { experiments, spans, caller }: Reads,
  comparison: Comparison,
  rows: Int32Array,
  options: ReadOptions,
): Promise<ComparedRow[]> {
  const rowIds = comparison.experiments.map(({ rowId }) => rowId);
  const [baseline] = comparison.experiments;
  if (baseline === undefined || rows.length === 0) return [];
  const exampleIds = Array.from(rows, (row) => comparison.exampleRowIds[row] as number);
  const [examples, runs, splits, preferences] = await Promise.all([
    experiments.findComparedTexts(baseline.rowId, exampleIds),
    experiments.findComparedRuns(rowIds, exampleIds),
    experiments.findSplitNames(baseline.datasetRowId, exampleIds),
    experiments.findRunPreferences(rowIds, exampleIds),
  ]);
  const runRowIds = runs.map(({ rowId }) => rowId);
  const [{ traceRowIds, costs, projects }, evaluations, personAnnotations] = await Promise.all([
    findTraces(spans, runs, options),
    experiments.evaluationsOfRuns(runRowIds),
    experiments.findPersonAnnotations(runRowIds),
  ]);
  const byRun = groupBy(
    personAnnotations,
    ({ runRowId }) => runRowId,
    (annotation) => annotation,
  );
  const isMine = isOwn({ caller });
  const byCell = groupBy(
    runs,
    ({ experimentRowId, exampleRowId }) => `${experimentRowId}:${exampleRowId}`,
    (run) => run,
  );
  const baseMeans = baselineMeans(comparison);
  const differenceOf = (run: ComparedRun, score: number | null, base: number | undefined): number | null =>
    run.experimentRowId === baseline.rowId || score === null || base === undefined || !Number.isFinite(score - base)
      ? null
      : score - base;
  return Array.from(rows).flatMap((row) => {
    const exampleRowId = comparison.exampleRowIds[row] as number;
    const example = examples.get(exampleRowId);
    if (!example) return [];
    const toDetailed = (run: ComparedRun): DetailedRun => {
      const traceRowId = run.traceId === null ? undefined : traceRowIds.get(run.traceId);
      return {
        ...run,
        costs: traceRowId === undefined ? undefined : costs.get(traceRowId),
        projectRowId: traceRowId === undefined ? undefined : projects.get(traceRowId)?.[0],
        scores: [
          ...(evaluations.get(run.rowId) ?? []).toSorted(byName).map(
            ({ name, score, label, explanation, annotatorKind }): ComparedScore => ({
              ...{ name, score, label, explanation, annotatorKind, isPerson: false, isMine: false, author: null },
              difference: differenceOf(run, score, baseMeans('scores', name)?.[row]),
            }),
          ),
          ...(byRun.get(run.rowId) ?? []).toSorted(byName).map((annotation): ComparedScore => {
            const { name, score, label, explanation, authorName } = annotation;
            return {
              ...{ name, score, label, explanation, annotatorKind: 'HUMAN', isPerson: true, author: authorName },
              isMine: isMine(annotation),
              difference: differenceOf(run, score, baseMeans('personScores', name)?.[row]),
            };
          }),
        ],
      };
    };
    return {
      position: row,
      example,
      splits: splits.get(exampleRowId) ?? [],
      preferences: preferences
        .filter((one) => one.exampleRowId === exampleRowId)
        .map((one) => ({ ...one, isMine: isMine(one) })),
      runs: rowIds.map((rowId) => (byCell.get(`${rowId}:${exampleRowId}`) ?? []).map(toDetailed)),
    };
  });
}

/** The same order in each cell. */
const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  Number(a.name > b.name) - Number(a.name < b.name);

/** Means of the baseline by row for a name of a score. Each is computed once. */
function baselineMeans({ columns, rowsOfRuns, exampleRowIds }: Comparison) {
  const known = { scores: new Map<string, Float64Array>(), personScores: new Map<string, Float64Array>() };
  return (source: keyof typeof known, name: string): Float64Array | undefined => {
    const found = known[source].get(name);
    if (found) return found;
    const values = columns[0]?.[source].get(name)?.values;
    if (!values) return undefined;
    const means = meansByRow(values, rowsOfRuns[0] as Int32Array, exampleRowIds.length);
    known[source].set(name, means);
    return means;
  };
}

async function findTraces(spans: Ports['spans'], runs: readonly ComparedRun[], options: ReadOptions) {
  const ids = [...new Set(runs.flatMap(({ traceId }) => traceId ?? []))];
  const traceRowIds = toRowIds(ids.length === 0 ? [] : await spans.findByIds({ of: 'traces', ids }, options));
  const rowIds = [...traceRowIds.values()];
  if (rowIds.length === 0)
    return { traceRowIds, costs: new Map<number, Costs>(), projects: new Map<number, number[]>() };
  const [costs, projects] = await Promise.all([
    spans.get({ of: 'traces', column: 'costs', rowIds }, options),
    spans.get({ of: 'traces', column: 'projects', rowIds }, options),
  ]);
  return { traceRowIds, costs, projects };
}
