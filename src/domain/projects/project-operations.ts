import type { AuditParts } from '../access/audit.ts';
import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import {
  getProjectAccess,
  removeProjectMember,
  setProjectMember,
  setProjectPrivacy,
} from '../project-access/manage-project-access.ts';
import { watchAccess } from '../project-access/watch-access.ts';
import { clearProject } from './clear-project.ts';
import { createProject } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { getProject } from './get-project.ts';
import { listProjects } from './list-projects.ts';
import { updateProject } from './update-project.ts';

export const createProjectOperations = (
  ports: Pick<
    Ports,
    'projects' | 'projectMembers' | 'onlineEvaluators' | 'projectAccess' | 'users' | 'signIn' | 'spans' | 'writes'
  > &
    AuditParts,
) => ({
  ...pick(ports.projects, 'list', 'find', 'findByRowIds'),
  ...bindToPorts(ports, {
    get: getProject,
    listAll: listProjects,
    create: createProject,
    update: updateProject,
    delete: deleteProject,
    clear: clearProject,
    getAccess: getProjectAccess,
    setPrivacy: setProjectPrivacy,
    setMember: setProjectMember,
    removeMember: removeProjectMember,
    watchAccess,
  }),
});

export type ProjectOperations = ReturnType<typeof createProjectOperations>;
