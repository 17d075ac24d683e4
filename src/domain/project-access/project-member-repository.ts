import type { MemberRef, ProjectLevel, ProjectMember } from '../../model/projects/project-member.ts';

/** Who may use a project. */
export interface ProjectAccessRow {
  readonly rowId: number;
  /** Stored name (`toStoredName`). */
  readonly name: string;
  readonly isPrivate: boolean;
  /** In the order in which they were added. */
  readonly members: readonly ProjectMember[];
}

export interface ProjectMemberRepository {
  /** Yields every project that is private or has members, in batches. */
  listAccess(): AsyncIterable<readonly ProjectAccessRow[]>;
  /** Projects by row id or by stored name. Unknown ones are absent. */
  findAccess(
    refs: { readonly rowIds: readonly number[] } | { readonly names: readonly string[] },
  ): Promise<ProjectAccessRow[]>;
  /** The project, which is locked until the transaction ends. Undefined when there is none. */
  lock(projectRowId: number): Promise<ProjectAccessRow | undefined>;
  setPrivate(projectRowId: number, isPrivate: boolean): Promise<void>;
  /** Adds a member, or changes the level of one. */
  set(projectRowId: number, member: MemberRef, level: ProjectLevel): Promise<void>;
  remove(projectRowId: number, member: MemberRef): Promise<void>;
}
