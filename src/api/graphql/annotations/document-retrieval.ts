import type { Annotation } from '../../../model/annotations/annotation.ts';
import type { GraphqlContext } from '../context.ts';
import type { NodeRef, Resolvers } from '../resolvers.ts';
import { attributeAt } from '../spans/span-attributes.ts';

interface RankedDocuments {
  readonly evaluationName: string;
  /** Scores by position. NaN for a document without a score. */
  readonly scores: readonly number[];
}

/** Metrics for each name of the span's document annotations. Empty for a span without documents. */
export async function documentRetrievalMetrics(
  { rowId }: NodeRef<'Span'>,
  { evaluationName }: { readonly evaluationName?: string | null },
  { loaders }: GraphqlContext,
): Promise<RankedDocuments[]> {
  const annotations = await loaders.annotationsOf.document.load(rowId);
  if (!annotations) return [];
  const [span, body] = await Promise.all([loaders.spans.load(rowId), loaders.spanBodies.load(rowId)]);
  if (!span || !body) return [];
  const path = span.spanKind === 'RERANKER' ? ['reranker', 'output_documents'] : ['retrieval', 'documents'];
  const documents = attributeAt(body, ...path);
  const count = Array.isArray(documents) ? documents.length : 0;
  if (count === 0) return [];
  const names = new Set(annotations.map(({ name }) => name));
  return [...names]
    .filter((name) => evaluationName == null || name === evaluationName)
    .sort()
    .map((name) => ({ evaluationName: name, scores: scoresOf(annotations, name, count) }));
}

function scoresOf(annotations: readonly Annotation[], name: string, count: number): number[] {
  const scores = new Array<number>(count).fill(Number.NaN);
  for (const annotation of annotations) {
    const { documentPosition: at, score } = annotation;
    if (annotation.name === name && at !== null && at < count && score !== null) scores[at] = score;
  }
  return scores;
}

interface KArguments {
  readonly k?: number | null;
}

export const documentRetrievalResolvers: Resolvers = {
  evaluationName: ({ evaluationName }: RankedDocuments) => evaluationName,
  ndcg: ({ scores }: RankedDocuments, { k }: KArguments) => finite(ndcg(scores, k ?? scores.length)),
  precision: ({ scores }: RankedDocuments, { k }: KArguments) => finite(precision(scores, k ?? scores.length)),
  reciprocalRank: ({ scores }: RankedDocuments) => finite(reciprocalRank(scores)),
  hit: ({ scores }: RankedDocuments) => finite(hit(scores)),
};

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
const isRelevant = (score: number): boolean => score !== 0 && !Number.isNaN(score);

/** Gain, discounted by the logarithm of the rank, as a share of that of the best order. */
export function ndcg(scores: readonly number[], k: number): number {
  if (k < 1) return 0;
  if (scores.some(Number.isNaN)) return Number.NaN;
  const gain = (list: readonly number[]) =>
    list.slice(0, k).reduce((sum, score, index) => sum + score / Math.log2(index + 2), 0);
  const best = gain(scores.toSorted((a, b) => b - a));
  return best === 0 ? 0 : gain(scores) / best;
}

export function precision(scores: readonly number[], k: number): number {
  if (k < 1) return 0;
  const first = scores.slice(0, k);
  return first.some(Number.isNaN) ? Number.NaN : first.filter(isRelevant).length / k;
}

export function reciprocalRank(scores: readonly number[]): number {
  for (const [index, score] of scores.entries()) {
    if (Number.isNaN(score)) return Number.NaN;
    if (isRelevant(score)) return 1 / (index + 1);
  }
  return 0;
}

/** Whether any document is relevant. NaN when a document without an annotation might be. */
export function hit(scores: readonly number[]): number {
  if (scores.some(isRelevant)) return 1;
  return scores.some(Number.isNaN) ? Number.NaN : 0;
}
