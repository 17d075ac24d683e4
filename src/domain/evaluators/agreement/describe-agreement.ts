import type { LabelAgreement, ScoreAgreement } from './agreement-measures.ts';

/** Fewer pairs cannot tell good evaluators from bad ones: 15 of 20 equal labels may be 51% or 91% in the long run. */
const TOLD_COUNT_MIN = 20;

/** Names of ranges of kappa by Landis and Koch (1977), by the least value. */
const KAPPA_NAMES = [
  [0.81, 'almost perfect'],
  [0.61, 'substantial'],
  [0.41, 'moderate'],
  [0.21, 'fair'],
  [0, 'slight'],
  [Number.NEGATIVE_INFINITY, 'less than by chance'],
] as const;

/** Plain sentences on the agreement of an evaluator with people. */
export function describeAgreement(labels: LabelAgreement | undefined, scores: ScoreAgreement | undefined): string {
  const sentences = [...(labels ? [describeLabels(labels)] : []), ...(scores ? [describeScores(scores)] : [])];
  const count = Math.max(labels?.count ?? 0, scores?.count ?? 0);
  if (count > 0 && count < TOLD_COUNT_MIN) {
    sentences.push(
      `${count} ${count === 1 ? 'run is' : 'runs are'} too few to tell; annotate at least ${TOLD_COUNT_MIN}.`,
    );
  }
  return sentences.join(' ');
}

function describeLabels({ count, agreedCount, share, kappa }: LabelAgreement): string {
  const agreed = `Agrees with people on ${agreedCount} of ${count} labels (${Math.round(share * 100)}%)`;
  if (kappa === null) return `${agreed}. All labels are the same, so chance cannot be excluded.`;
  const name = KAPPA_NAMES.find(([least]) => round(kappa) >= least)?.[1];
  return `${agreed}; kappa ${kappa.toFixed(2)}, ${name === 'less than by chance' ? name : `${name} agreement`}.`;
}

function describeScores({ count, correlation, meanDifference }: ScoreAgreement): string {
  const runs = `${count} ${count === 1 ? 'score' : 'scores'}`;
  const difference =
    round(meanDifference) === 0
      ? 'the same mean'
      : `its mean is ${Math.abs(meanDifference).toFixed(2)} ${meanDifference > 0 ? 'higher' : 'lower'}`;
  if (correlation === null) return `Correlation with the scores of people is unknown for ${runs}; ${difference}.`;
  return `Correlation with the scores of people is ${correlation.toFixed(2)} for ${runs}; ${difference}.`;
}

const round = (value: number): number => Math.round(value * 100) / 100;
