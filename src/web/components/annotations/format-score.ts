/** At most three decimals, for example `1`, `0.25` or `-3.125`. */
export const formatScore = (score: number): string => String(Number(score.toFixed(3)));
