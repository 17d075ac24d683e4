/** Formats a score with at most three decimals, such as `0.25`. */
export const formatScore = (score: number): string => String(Number(score.toFixed(3)));
