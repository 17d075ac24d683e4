import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { createModel, deleteModel, updateModel } from './change-models.ts';

export const createModelOperations = (ports: Pick<Ports, 'models'>) => ({
  ...pick(ports.models, 'list', 'findByRowIds'),
  ...bindToPorts(ports, { create: createModel, update: updateModel, delete: deleteModel }),
});

export type ModelOperations = ReturnType<typeof createModelOperations>;
