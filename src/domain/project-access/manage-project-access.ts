import { type Caller, hasFullScope, isAdmin, type SignedInCaller } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import { GROUP_NAME_LENGTH_MAX, PROJECT_MEMBER_COUNT_MAX } from '../../model/limits/access.ts';
import { DEFAULT_PROJECT_NAME, type NewProject, type Project } from '../../model/projects/project.ts';
import {
  hasLevel,
  isSameMember,
  type MemberRef,
  type ProjectLevel,
  type ProjectMember,
} from '../../model/projects/project-member.ts';
import { type AuditedRepositories, type AuditParts, recorded } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { getProject, projectNotFound } from '../projects/get-project.ts';
import type { ProjectRef } from '../projects/project-repository.ts';
import { findLevel, levelTooLow } from './project-access.ts';
import { toKnownProject } from './project-directory.ts';
import type { ProjectAccessRow } from './project-member-repository.ts';

type Parts = Pick<Ports, 'projects' | 'projectMembers' | 'users' | 'signIn'> & AuditParts;

/** Who may use a project. */
export interface ProjectAccessView {
  readonly project: Project;
  /** False while sign-in is off: then everyone is one caller, and a private project is open. */
  readonly isEnforced: boolean;
  /** Level of the caller. */
  readonly level: ProjectLevel;
  readonly members: readonly ProjectMember[];
}

/** A member as a caller names one. A person is named by row id or email. */
export type GivenMember = { readonly userRowId: number } | { readonly email: string } | { readonly group: string };

/** @throws {SpandrelError} `PROJECT_NOT_FOUND` */
export async function getProjectAccess(ports: Parts, ref: ProjectRef): Promise<ProjectAccessView> {
  const project = await getProject(ports, ref);
  const [row] = await ports.projectMembers.findAccess({ rowIds: [project.rowId] });
  const level = row && findLevel(ports.caller, row.name, toKnownProject(row));
  // It was deleted or hidden since it was found.
  if (row === undefined || level === undefined) throw projectNotFound(project.rowId);
  return { project, isEnforced: ports.signIn !== undefined, level, members: row.members };
}

/**
 * Creates a project that only its creator and administrators find.
 *
 * @throws {SpandrelError} `SIGN_IN_OFF`, `ACCESS_DENIED`, `PROJECT_NAME_TAKEN`
 */
export async function createPrivateProject(ports: Parts, project: NewProject): Promise<Project> {
  const caller = managerOf(ports.caller);
  if (caller.credential === 'systemKey') {
    throw new SpandrelError('ACCESS_DENIED', 'A system key cannot create a private project.');
  }
  const created = await recorded(ports, async ({ projects, projectMembers }) => {
    const result = await projects.create({ ...project, isPrivate: true });
    if (isPerson(caller)) await projectMembers.set(result.rowId, { userRowId: caller.user.rowId }, 'OWNER');
    const target = { kind: 'Project', id: String(result.rowId), name: result.name };
    return { result, entry: { action: 'project.privacy', outcome: 'DONE', target, after: { isPrivate: true } } };
  });
  await ports.signIn?.credentials.sync();
  return created;
}

/**
 * Makes a project private or open, as an owner or administrator. Members stay. A private project without an owner gets the
 * caller as one.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `SIGN_IN_OFF`, `ACCESS_DENIED`, `PROJECT_PROTECTED`, `PROJECT_IN_USE`
 */
export async function setProjectPrivacy(ports: Parts, ref: ProjectRef, isPrivate: boolean): Promise<Project> {
  if (isPrivate) await checkMayBePrivate(ports, ref);
  return change(ports, ref, async ({ row, caller, projectMembers }) => {
    if (row.isPrivate === isPrivate) return undefined;
    await projectMembers.setPrivate(row.rowId, isPrivate);
    if (isPrivate && isPerson(caller) && !row.members.some(({ level }) => level === 'OWNER')) {
      await projectMembers.set(row.rowId, { userRowId: caller.user.rowId }, 'OWNER');
    }
    return { action: 'project.privacy', before: { isPrivate: row.isPrivate }, after: { isPrivate } };
  });
}

/**
 * Adds a person or group to the members, or changes the level, as an owner or administrator.
 *
 * @throws {SpandrelError} as `setProjectPrivacy`; `USER_NOT_FOUND`, `PROJECT_MEMBER_INVALID`, `PROJECT_OWNER_LAST`
 */
export async function setProjectMember(
  ports: Parts,
  ref: ProjectRef,
  given: GivenMember,
  level: ProjectLevel,
): Promise<Project> {
  // Before a user is looked up, so that only owners learn who has an account.
  managerOf(ports.caller);
  const member = await checkedMember(ports, ref, given);
  return change(ports, ref, async ({ row, caller, projectMembers }) => {
    const former = row.members.find(({ of }) => isSameMember(of, member));
    if (former?.level === level) return undefined;
    if (former === undefined && row.members.length >= PROJECT_MEMBER_COUNT_MAX) {
      throw new SpandrelError('PROJECT_MEMBER_INVALID', `A project has at most ${PROJECT_MEMBER_COUNT_MAX} members`);
    }
    if (level !== 'OWNER') checkOwnerLeft(caller, row, member);
    await projectMembers.set(row.rowId, member, level);
    const before = former && { ...toFields(member), level: former.level };
    return { action: 'project-member.set', before, after: { ...toFields(member), level } };
  });
}

/**
 * Removes a member, as an owner or administrator. Everyone may leave.
 *
 * @throws {SpandrelError} as `setProjectMember`
 */
export async function removeProjectMember(ports: Parts, ref: ProjectRef, member: MemberRef): Promise<Project> {
  const { caller } = ports;
  const isOwn = caller.kind === 'signedIn' && isSameMember(member, { userRowId: caller.user.rowId });
  return change(
    ports,
    ref,
    async ({ row, caller, projectMembers }) => {
      const former = row.members.find(({ of }) => isSameMember(of, member));
      if (former === undefined) return undefined;
      checkOwnerLeft(caller, row, member);
      await projectMembers.remove(row.rowId, member);
      return { action: 'project-member.remove', before: { ...toFields(member), level: former.level } };
    },
    isOwn ? 'READER' : 'OWNER',
  );
}

interface Change {
  readonly row: ProjectAccessRow;
  readonly caller: SignedInCaller;
  readonly projectMembers: AuditedRepositories['projectMembers'];
}

interface ChangeEntry {
  readonly action: 'project.privacy' | 'project-member.set' | 'project-member.remove';
  readonly before?: Record<string, string | boolean> | undefined;
  readonly after?: Record<string, string | boolean> | undefined;
}

/** One change in a transaction that has locked the project. It holds on this server when the promise resolves. */
async function change(
  ports: Parts,
  ref: ProjectRef,
  run: (change: Change) => Promise<ChangeEntry | undefined>,
  least: ProjectLevel = 'OWNER',
): Promise<Project> {
  const project = await getProject(ports, ref);
  const caller = managerOf(ports.caller);
  await recorded(ports, async ({ projectMembers }) => {
    const row = await projectMembers.lock(project.rowId);
    const level = row && findLevel(caller, row.name, toKnownProject(row));
    if (row === undefined || level === undefined || !hasLevel(level, least)) throw levelTooLow(least);
    const entry = await run({ row, caller, projectMembers });
    const target = { kind: 'Project', id: String(row.rowId), name: row.name };
    return { result: undefined, entry: entry && { ...entry, outcome: 'DONE', target } };
  });
  await ports.signIn?.credentials.sync();
  return project;
}

function managerOf(caller: Caller): SignedInCaller {
  if (caller.kind !== 'signedIn') {
    throw new SpandrelError(
      'SIGN_IN_OFF',
      'Private projects need authentication. Set the SERVICE_ENABLE_AUTH environment variable to true.',
    );
  }
  if (hasFullScope(caller)) return caller;
  throw new SpandrelError('ACCESS_DENIED', 'The scope of this API key does not allow this action.');
}

const isPerson = ({ user }: SignedInCaller): boolean => user.role !== 'SYSTEM';

async function checkMayBePrivate({ projects }: Pick<Ports, 'projects'>, ref: ProjectRef): Promise<void> {
  const { rowId, name } = await getProject({ projects }, ref);
  if (name === DEFAULT_PROJECT_NAME) {
    throw new SpandrelError(
      'PROJECT_PROTECTED',
      'The default project cannot be private: it has the spans whose sender names no project.',
    );
  }
  const { items } = await projects.list({
    limit: 1,
    fromRowId: rowId,
    isOutsideExperiments: true,
    isOutsideEvaluators: true,
  });
  if (items[0]?.rowId === rowId) return;
  throw new SpandrelError(
    'PROJECT_IN_USE',
    'The project of an experiment or evaluator cannot be private: its dataset is open.',
  );
}

async function checkedMember(ports: Parts, ref: ProjectRef, given: GivenMember): Promise<MemberRef> {
  if ('group' in given) {
    const group = given.group.trim();
    if (group !== '' && group.length <= GROUP_NAME_LENGTH_MAX) return { group };
    throw new SpandrelError(
      'PROJECT_MEMBER_INVALID',
      `A group needs a name of at most ${GROUP_NAME_LENGTH_MAX} characters`,
    );
  }
  const { level } = await getProjectAccess(ports, ref);
  if (level !== 'OWNER') throw levelTooLow('OWNER');
  const user =
    'email' in given
      ? await ports.users.findByEmail(given.email.trim().toLowerCase())
      : (await ports.users.findByRowIds([given.userRowId])).get(given.userRowId);
  if (user && user.role !== 'SYSTEM') return { userRowId: user.rowId };
  throw new SpandrelError('USER_NOT_FOUND', 'User not found');
}

/** @throws {SpandrelError} `PROJECT_OWNER_LAST` when a private project would have no owner, unless the caller is an administrator */
function checkOwnerLeft(caller: SignedInCaller, { isPrivate, members }: ProjectAccessRow, leaving: MemberRef): void {
  if (!isPrivate || isAdmin(caller)) return;
  if (members.some(({ of, level }) => level === 'OWNER' && !isSameMember(of, leaving))) return;
  throw new SpandrelError(
    'PROJECT_OWNER_LAST',
    'A private project needs an owner. Make another member an owner first.',
  );
}

const toFields = (member: MemberRef): Record<string, string> =>
  'group' in member ? { group: member.group } : { userId: String(member.userRowId) };
