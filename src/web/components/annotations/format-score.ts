/** `1`, `0.25`, `-3.125`: at most three decimals. */
export const formatScore = (score: number): string => String(Number(score.toFixed(3)));
