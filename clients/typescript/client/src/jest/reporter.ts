import { beginReports, type ReporterOptions, writeReports } from '../test-runner/write-reports.ts';

/** Reporter of jest: `reporters: ['default', ['@spandrel/client/jest/reporter', { junit: 'evals.xml' }]]`. */
export default class SpandrelReporter {
  readonly #options: ReporterOptions;

  constructor(_globalConfig: unknown, options: ReporterOptions = {}) {
    this.#options = options;
  }

  onRunStart(): void {
    beginReports();
  }

  onRunComplete(): void {
    writeReports(this.#options);
  }
}
