import { distinctColors } from '../../components/chart/chart-series.ts';
import type { ComparableExperimentsData, ComparedRowsData, ExperimentComparisonData } from './generated/comparison.ts';

export type ComparedDataset = Extract<ComparableExperimentsData['dataset'], { readonly __typename: 'Dataset' }>;
export type ListedExperiment = ComparedDataset['chosen']['edges'][number]['node'];
export type Comparison = ExperimentComparisonData['comparison'];
export type Measure = Comparison['measures'][number];
export type MeasureValue = Measure['values'][number];
export type Difference = NonNullable<MeasureValue['difference']>;
export type Group = Comparison['splits'][number];

/** An experiment of the comparison. */
export interface Compared {
  readonly id: string;
  /** Undefined if the experiment does not exist or belongs to another dataset. */
  readonly experiment: ListedExperiment | undefined;
  /** Position from A. The baseline is A. */
  readonly letter: string;
  readonly color: `--${string}`;
  readonly isBase: boolean;
  readonly name: string;
}

/**
 * The experiments of a comparison in order. A color follows its experiment when the order changes, and a letter is beside
 * it, because colors alone cannot be told apart by everyone.
 */
export function toCompared(ids: readonly string[], listed: readonly ListedExperiment[]): readonly Compared[] {
  const byId = new Map(listed.map((experiment) => [experiment.id, experiment]));
  const colors = distinctColors(ids);
  return ids.map((id, index) => ({
    id,
    experiment: byId.get(id),
    letter: String.fromCharCode('A'.charCodeAt(0) + index),
    color: colors.get(id)!,
    isBase: index === 0,
    name: byId.get(id)?.name ?? 'Deleted experiment',
  }));
}

export type ComparedRow = ComparedRowsData['comparison']['rows'][number];
export type ComparedRun = ComparedRow['cells'][number]['runs'][number];
export type ComparedScore = ComparedRun['scores'][number];
/** A text of an example or run, of which the table shows the beginning. */
export type CutText = ComparedRow['input'];

/** Key of the measure of a score. Scores of people are a measure of their own. */
export const scoreKey = ({ name, annotatorKind }: Pick<ComparedScore, 'name' | 'annotatorKind'>): string =>
  `${annotatorKind === 'HUMAN' ? 'human' : 'score'}:${name}`;
