import { randomBytes } from 'node:crypto';

/** Name of a new project that stores only the traces of one experiment or evaluator. */
export const newTraceProjectName = (owner: 'Experiment' | 'Evaluator'): string =>
  `${owner}-${randomBytes(12).toString('hex')}`;
