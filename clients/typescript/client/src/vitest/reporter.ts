import { beginReports, type ReporterOptions, writeReports } from '../test-runner/write-reports.ts';

/** Reporter of vitest: `reporters: ['default', ['@spandrel/client/vitest/reporter', { junit: 'evals.xml' }]]`. */
export default class SpandrelReporter {
  readonly #options: ReporterOptions;

  constructor(options: ReporterOptions = {}) {
    this.#options = options;
  }

  /** Also before each run of watch mode. */
  onTestRunStart(): void {
    beginReports();
  }

  onTestRunEnd(): void {
    writeReports(this.#options);
  }
}
