import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { assignConfigs, setConfigsOfProject, unassignConfigs } from './assign-annotation-configs.ts';
import { createConfig, deleteConfigs, replaceConfig } from './change-annotation-configs.ts';
import { getConfig } from './get-annotation-config.ts';

export const createAnnotationConfigOperations = (ports: Pick<Ports, 'annotationConfigs'>) => ({
  ...pick(ports.annotationConfigs, 'list', 'listByName', 'findOfProjects'),
  ...bindToPorts(ports, {
    get: getConfig,
    create: createConfig,
    replace: replaceConfig,
    delete: deleteConfigs,
    assign: assignConfigs,
    unassign: unassignConfigs,
    setOfProject: setConfigsOfProject,
  }),
});

export type AnnotationConfigOperations = ReturnType<typeof createAnnotationConfigOperations>;
