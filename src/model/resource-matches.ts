/** Row ids of search results by kind, the best first. */
export interface ResourceMatches {
  readonly projects: readonly number[];
  readonly datasets: readonly number[];
  readonly experiments: readonly number[];
  readonly prompts: readonly number[];
}
