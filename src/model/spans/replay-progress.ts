/** Progress of applying the journal after a restart of the server or of the span store. */
export interface ReplayProgress {
  readonly appliedBytes: number;
  readonly totalBytes: number;
}

/** @param progress Undefined while only the store knows that it lacks data. */
export const describeReplay = (progress: ReplayProgress | undefined): string =>
  `The journal is being applied after a restart${
    progress ? `: ${toMegabytes(progress.appliedBytes)} of ${toMegabytes(progress.totalBytes)} MB` : ''
  }`;

const toMegabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
