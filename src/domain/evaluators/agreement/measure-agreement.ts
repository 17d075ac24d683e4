import type { AnnotationPair, EvaluatorAgreement } from '../../../model/evaluators/evaluator-results.ts';
import type { Ports } from '../../ports.ts';
import { agreementOfLabels, agreementOfScores } from './agreement-measures.ts';
import { describeAgreement } from './describe-agreement.ts';

/**
 * Compares evaluators with people on the runs that both have annotated under the name of the evaluator. Every annotation of a
 * person is one pair.
 *
 * @param rowIds Bindings of evaluators to datasets. One without such runs is absent from the result.
 */
export async function measureAgreement(
  { evaluators }: Pick<Ports, 'evaluators'>,
  rowIds: readonly number[],
): Promise<Map<number, EvaluatorAgreement>> {
  const pairs = await evaluators.findAnnotationPairs(rowIds);
  return new Map([...pairs].map(([rowId, found]) => [rowId, toAgreement(found)]));
}

/** The person comes first, so the mean difference tells whether the evaluator scores higher. */
function toAgreement(pairs: readonly AnnotationPair[]): EvaluatorAgreement {
  const labels = agreementOfLabels(
    pairs.flatMap(({ person, evaluator }) =>
      person.label !== null && evaluator.label !== null ? [[person.label, evaluator.label] as const] : [],
    ),
  );
  const scores = agreementOfScores(
    pairs.flatMap(({ person, evaluator }) =>
      isScore(person.score) && isScore(evaluator.score) ? [[person.score, evaluator.score] as const] : [],
    ),
  );
  return { labels: labels ?? null, scores: scores ?? null, sentence: describeAgreement(labels, scores) };
}

const isScore = (score: number | null): score is number => score !== null && Number.isFinite(score);
