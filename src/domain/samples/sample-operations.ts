import { bindToPorts } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { createSample, findSample } from './create-sample.ts';
import { deleteSample } from './delete-sample.ts';

/** All operations of API layers on the sample of a dataset, a prompt and experiments. */
export const createSampleOperations = (ports: Ports) =>
  bindToPorts(ports, { find: findSample, create: createSample, delete: deleteSample });

export type SampleOperations = ReturnType<typeof createSampleOperations>;
