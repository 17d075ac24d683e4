import type { DirectoryPage, DirectoryQuery, GroupFilterField } from '../../model/access/directory-filter.ts';
import type { Group, GroupMember, GroupOfUser, MemberChange } from '../../model/access/group.ts';

/** Absent fields keep their values. */
export interface GroupChanges {
  readonly displayName?: string;
  readonly externalId?: string | null;
}

export interface GroupRepository {
  query(query: DirectoryQuery<GroupFilterField>): Promise<DirectoryPage<Group>>;
  findByRowId(rowId: number): Promise<Group | undefined>;
  /** Members of groups by row id. At most `limit` of all groups together. */
  listMembers(groupRowIds: readonly number[], limit: number): Promise<GroupMember[]>;
  listGroupsOfUsers(userRowIds: readonly number[]): Promise<GroupOfUser[]>;
  countMembers(rowId: number): Promise<number>;
  /** @throws {SpandrelError} `GROUP_NAME_TAKEN`, also for a name or external ID that another group has */
  create(group: { readonly displayName: string; readonly externalId: string | null }): Promise<Group>;
  /**
   * Undefined when there is no such group. The time of the last change becomes the present one.
   *
   * @throws {SpandrelError} `GROUP_NAME_TAKEN`
   */
  update(rowId: number, changes: GroupChanges): Promise<Group | undefined>;
  /**
   * Adds to a group those users that exist, and removes others.
   *
   * @returns the row ids that no user of a person has, and how many members came and went
   */
  changeMembers(
    rowId: number,
    change: MemberChange,
  ): Promise<{ readonly unknown: readonly number[]; readonly addedCount: number; readonly removedCount: number }>;
  delete(rowId: number): Promise<void>;
}
