import type { ProjectLevel } from '../../model/projects/project-member.ts';
import type { ProjectAccessRow, ProjectMemberRepository } from './project-member-repository.ts';

/** What a check needs of a project that is private, has members, or is named by a key. */
export interface KnownProject {
  readonly rowId: number;
  /** Stored name (`toStoredName`). */
  readonly name: string;
  readonly isPrivate: boolean;
  readonly levelOfUser: ReadonlyMap<number, ProjectLevel>;
  readonly levelOfGroup: ReadonlyMap<string, ProjectLevel>;
}

/**
 * Private projects and their members in memory, so that a check costs no query. The cache of credentials keeps it up to date
 * (`access/credentials.ts`), so a change holds on every server as fast as a revocation.
 */
export class ProjectDirectory {
  readonly #repository: ProjectMemberRepository;
  readonly #byRowId = new Map<number, KnownProject>();
  readonly #byName = new Map<string, KnownProject>();
  /** Row ids of private projects. */
  readonly #privateRowIds = new Set<number>();
  /** Names in keys. Their projects may be open, or not exist yet. */
  readonly #namedByKeys = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #revision = 0;

  constructor(repository: ProjectMemberRepository) {
    this.#repository = repository;
  }

  /** Grows with each change. */
  get revision(): number {
    return this.#revision;
  }

  get privateRowIds(): ReadonlySet<number> {
    return this.#privateRowIds;
  }

  find(rowId: number): KnownProject | undefined {
    return this.#byRowId.get(rowId);
  }

  /** @param storedName From `toStoredName`. */
  findByName(storedName: string): KnownProject | undefined {
    return this.#byName.get(storedName);
  }

  async fill(): Promise<void> {
    for await (const rows of this.#repository.listAccess()) for (const row of rows) this.#keep(row);
  }

  /** Reads the projects that a key names. Must be awaited before the key is used. */
  async addNames(names: readonly string[]): Promise<void> {
    const added = names.filter((name) => !this.#namedByKeys.has(name));
    for (const name of added) this.#namedByKeys.add(name);
    const unknown = added.filter((name) => !this.#byName.has(name));
    if (unknown.length === 0) return;
    for (const row of await this.#repository.findAccess({ names: unknown })) this.#keep(row);
    this.#changed();
  }

  /** Reads projects again that were created, changed or deleted. */
  async reload(rowIds: readonly number[]): Promise<void> {
    if (rowIds.length === 0) return;
    const rows = new Map((await this.#repository.findAccess({ rowIds })).map((row) => [row.rowId, row]));
    for (const rowId of new Set([...rowIds, ...rows.keys()])) {
      this.#drop(rowId);
      const row = rows.get(rowId);
      if (row && (row.isPrivate || row.members.length > 0 || this.#namedByKeys.has(row.name))) this.#keep(row);
    }
    this.#changed();
  }

  /** Calls the listener after each change. Returns a function that unsubscribes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Must be called after a change of roles or groups, which decide about projects, too. */
  notify(): void {
    this.#changed();
  }

  #changed(): void {
    this.#revision++;
    for (const listener of this.#listeners) listener();
  }

  #drop(rowId: number): void {
    const known = this.#byRowId.get(rowId);
    if (known === undefined) return;
    this.#byRowId.delete(rowId);
    this.#privateRowIds.delete(rowId);
    // A project of the same name may have been created since.
    if (this.#byName.get(known.name) === known) this.#byName.delete(known.name);
  }

  #keep(row: ProjectAccessRow): void {
    const known = toKnownProject(row);
    this.#byRowId.set(known.rowId, known);
    this.#byName.set(known.name, known);
    if (known.isPrivate) this.#privateRowIds.add(known.rowId);
  }
}

export function toKnownProject({ rowId, name, isPrivate, members }: ProjectAccessRow): KnownProject {
  const levelOfUser = new Map<number, ProjectLevel>();
  const levelOfGroup = new Map<string, ProjectLevel>();
  for (const { of, level } of members) {
    if ('group' in of) levelOfGroup.set(of.group, level);
    else levelOfUser.set(of.userRowId, level);
  }
  return { rowId, name, isPrivate, levelOfUser, levelOfGroup };
}
