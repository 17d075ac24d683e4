/** Samples of a bootstrap by default, and at most. Twice as many change an interval of a mean by less than 2 % of its width. */
export const MEAN_REPLICATES = 2_000;
export const STATISTIC_REPLICATES = 1_000;
export const REPLICATES_MAX = 100_000;
/** Drawn items of one bootstrap: about five seconds. More items, or more replicates, hardly change an interval. */
export const DRAWS_MAX = 500_000_000;
