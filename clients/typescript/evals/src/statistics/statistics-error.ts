/** Data from which a statistic cannot be computed. The message says what was expected, what was received, and what to do. */
export class StatisticsError extends Error {
  override readonly name: string = 'StatisticsError';
}
