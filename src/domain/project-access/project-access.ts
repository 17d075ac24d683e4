import type { Caller, SignedInCaller } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import { hasLevel, PROJECT_LEVELS, type ProjectLevel, type ProjectScope } from '../../model/projects/project-member.ts';
import { toStoredName } from '../../metadata-store/projects/stored-name.ts';
import type { KnownProject, ProjectDirectory } from './project-directory.ts';

/**
 * The rule of projects: the level of a caller in a project. Undefined when the project does not exist for the caller. The role
 * of the caller bounds it further (`model/access/rights.ts`): a viewer writes nothing, not even as an owner.
 *
 * - While sign-in is off, everyone is one caller, and no project is closed.
 * - A key of named projects reaches only these.
 * - Administrators, also with keys for reading or sending, and the admin secret reach every project as owners.
 * - A project that is not private is open to all as editors; its members may have a higher level.
 * - In a private project a person has the highest level of the person and of the groups.
 * - A system key is an editor of the private projects that it names, and a stranger to others.
 *
 * @param name The stored name of the project, which need not exist.
 * @param project Undefined when the project is not private and has no members.
 */
export function findLevel(
  caller: Caller,
  name: string | undefined,
  project: KnownProject | undefined,
): ProjectLevel | undefined {
  if (caller.kind === 'signInOff') return 'OWNER';
  if (caller.kind === 'anonymous') return undefined;
  const { credential, user, projects: named } = caller;
  if (named !== null && (name === undefined || !named.has(name))) return undefined;
  if (reachesAll(caller)) return 'OWNER';
  const open = project?.isPrivate ? undefined : 'EDITOR';
  if (project === undefined) return open;
  if (credential === 'systemKey') return named === null ? open : 'EDITOR';
  const groups = user.groups.map((group) => project.levelOfGroup.get(group));
  return highest([open, project.levelOfUser.get(user.rowId), ...groups]);
}

const reachesAll = ({ credential, user }: SignedInCaller): boolean =>
  credential === 'adminSecret' || user.role === 'ADMIN';

const highest = (levels: readonly (ProjectLevel | undefined)[]): ProjectLevel | undefined =>
  PROJECT_LEVELS.findLast((level) => levels.includes(level));

/** The projects of one caller. Results follow each change of the directory and of the caller's account. */
export class ProjectAccess {
  readonly #caller: Caller;
  readonly #directory: ProjectDirectory;

  constructor(caller: Caller, directory: ProjectDirectory) {
    this.#caller = caller;
    this.#directory = directory;
  }

  /** Grows with each change that may hide or show a project. */
  get revision(): number {
    return this.#directory.revision;
  }

  /** Whether no stored project is hidden from the caller. Cheap. */
  get reachesAll(): boolean {
    const caller = this.#caller;
    if (caller.kind !== 'signedIn') return caller.kind === 'signInOff';
    return caller.projects === null && (this.#directory.privateRowIds.size === 0 || reachesAll(caller));
  }

  levelOf(rowId: number): ProjectLevel | undefined {
    const project = this.#directory.find(rowId);
    return findLevel(this.#caller, project?.name, project);
  }

  /** Level in the project of a name, which need not exist. */
  levelOfName(name: string): ProjectLevel | undefined {
    const stored = toStoredName(name);
    return findLevel(this.#caller, stored, this.#directory.findByName(stored));
  }

  canRead(rowId: number): boolean {
    return this.levelOf(rowId) !== undefined;
  }

  /** Whether the caller may store spans in the project of a name. */
  canSendTo(name: string): boolean {
    const level = this.levelOfName(name);
    return level !== undefined && hasLevel(level, 'EDITOR');
  }

  /** Undefined when the caller may read all projects. */
  get scope(): ProjectScope | undefined {
    const caller = this.#caller;
    if (this.reachesAll) return undefined;
    if (caller.kind !== 'signedIn') return { only: [] };
    if (caller.projects === null) {
      return { except: [...this.#directory.privateRowIds].filter((rowId) => !this.canRead(rowId)) };
    }
    const named = [...caller.projects].flatMap((name) => this.#directory.findByName(name)?.rowId ?? []);
    return { only: named.filter((rowId) => this.canRead(rowId)) };
  }

  /**
   * @throws {SpandrelError} `ACCESS_DENIED` for a project that the caller may read but not write. A project that is hidden
   *   from the caller must have been treated as unknown before.
   */
  check(rowId: number, least: ProjectLevel): void {
    const level = this.levelOf(rowId);
    if (level === undefined || !hasLevel(level, least)) throw levelTooLow(least);
  }

  /** Whether the caller has a key of named projects, which creates no others. */
  get isLimitedToNames(): boolean {
    return this.#caller.kind === 'signedIn' && this.#caller.projects !== null;
  }

  isPrivate(rowId: number): boolean {
    return this.#directory.privateRowIds.has(rowId);
  }

  /** Calls the listener after each change that may hide a project. Returns a function that unsubscribes it. */
  onChange(listener: () => void): () => void {
    return this.#directory.onChange(listener);
  }
}

const LEVEL_TEXTS = {
  READER: 'You may not read this project.',
  EDITOR: 'Only editors and owners of this project can perform this action.',
  OWNER: 'Only owners of this project can perform this action.',
} as const satisfies Record<ProjectLevel, string>;

export const levelTooLow = (least: ProjectLevel): SpandrelError =>
  new SpandrelError('ACCESS_DENIED', LEVEL_TEXTS[least]);

/** The error of a write to a project by a name that the caller may not use. It does not reveal whether the project exists. */
export const projectNameDenied = (): SpandrelError =>
  new SpandrelError('ACCESS_DENIED', 'You may not send data to a project of this name.');

/** Decides to which projects a caller may send spans. Undefined for all. Costs no query. */
export function permittedProjects(
  caller: Caller,
  directory: ProjectDirectory,
): ((name: string) => boolean) | undefined {
  const access = new ProjectAccess(caller, directory);
  return access.reachesAll ? undefined : (name) => access.canSendTo(name);
}
