import type { Resolvers } from '../resolvers.ts';
import { hit, ndcg, precision, reciprocalRank } from './document-retrieval.ts';

/** Scores of each span by position. NaN for a document without an annotation. */
export interface DocumentEvaluations {
  readonly evaluationName: string;
  readonly spans: readonly (readonly number[])[];
}

interface KArguments {
  readonly k?: number | null;
}
type Metric = (scores: readonly number[], k: number) => number;

/** Means over the spans for which a metric can be computed, and the number of these spans. */
export const documentEvaluationSummaryResolvers: Resolvers = {
  evaluationName: ({ evaluationName }: DocumentEvaluations) => evaluationName,
  averageNdcg: (source: DocumentEvaluations, { k }: KArguments) => mean(values(source, ndcg, k)),
  countNdcg: (source: DocumentEvaluations, { k }: KArguments) => values(source, ndcg, k).length,
  averagePrecision: (source: DocumentEvaluations, { k }: KArguments) => mean(values(source, precision, k)),
  countPrecision: (source: DocumentEvaluations, { k }: KArguments) => values(source, precision, k).length,
  meanReciprocalRank: (source: DocumentEvaluations) => mean(values(source, reciprocalRank)),
  countReciprocalRank: (source: DocumentEvaluations) => values(source, reciprocalRank).length,
  hitRate: (source: DocumentEvaluations) => mean(values(source, hit)),
  countHit: (source: DocumentEvaluations) => values(source, hit).length,
};

const values = ({ spans }: DocumentEvaluations, metric: Metric, k?: number | null): number[] =>
  spans.map((scores) => metric(scores, k ?? scores.length)).filter(Number.isFinite);

const mean = (list: readonly number[]): number | null =>
  list.length === 0 ? null : list.reduce((sum, value) => sum + value, 0) / list.length;
