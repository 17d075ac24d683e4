import type { AuditFields } from '../../model/access/audit-entry.ts';
import type { Group, MemberChange } from '../../model/access/group.ts';
import { SpandrelError } from '../../model/errors.ts';
import { CLAIM_LENGTH_MAX, GROUP_MEMBER_COUNT_MAX } from '../../model/limits/identity-providers.ts';
import type { AccessPorts } from '../access/access-ports.ts';
import { type AuditedRepositories, type AuditParts, recorded } from '../access/audit.ts';
import type { GroupChanges } from './group-repository.ts';

type Parts = Pick<AccessPorts, 'groups' | 'signIn'> & AuditParts;

/** @throws {SpandrelError} `GROUP_INVALID`, `GROUP_NAME_TAKEN` */
export async function createGroup(
  ports: Parts,
  input: { readonly displayName: string; readonly externalId: string | null; readonly members: readonly number[] },
): Promise<Group> {
  const fields = { displayName: toName(input.displayName), externalId: toExternalId(input.externalId) };
  const group = await recorded(ports, async ({ groups }) => {
    const created = await groups.create(fields);
    const members = await changeMembers(groups, created.rowId, { removed: [], added: input.members });
    const after = { ...groupFields(created), ...members };
    return { result: created, entry: { action: 'group.create', outcome: 'DONE', target: targetOf(created), after } };
  });
  await ports.signIn?.credentials.sync();
  return group;
}

/**
 * Changes a group. The members are changed one by one in the database, so that changes at the same time lose nothing.
 *
 * @throws {SpandrelError} `GROUP_NOT_FOUND`, `GROUP_INVALID`, `GROUP_NAME_TAKEN`
 */
export async function changeGroup(
  ports: Parts,
  rowId: number,
  { members, ...changes }: GroupChanges & { readonly members?: MemberChange | undefined },
): Promise<Group> {
  const fields = {
    ...(changes.displayName !== undefined && { displayName: toName(changes.displayName) }),
    ...(changes.externalId !== undefined && { externalId: toExternalId(changes.externalId) }),
  };
  const group = await recorded(ports, async ({ groups }) => {
    const before = await groups.findByRowId(rowId);
    const updated = before && (await groups.update(rowId, fields));
    if (before === undefined || updated === undefined) throw notFound();
    const memberFields = members && (await changeMembers(groups, rowId, members));
    const fieldsAfter = { ...groupFields(updated), ...memberFields };
    const entry = { action: 'group.update', outcome: 'DONE', target: targetOf(updated) } as const;
    return { result: updated, entry: { ...entry, before: groupFields(before), after: fieldsAfter } };
  });
  await ports.signIn?.credentials.sync();
  return group;
}

/** @throws {SpandrelError} `GROUP_NOT_FOUND` */
export async function deleteGroup(ports: Parts, rowId: number): Promise<void> {
  await recorded(ports, async ({ groups }) => {
    const group = await groups.findByRowId(rowId);
    if (group === undefined) throw notFound();
    const before = { ...groupFields(group), memberCount: await groups.countMembers(rowId) };
    await groups.delete(rowId);
    return {
      result: undefined,
      entry: { action: 'group.delete', outcome: 'DONE', target: targetOf(group), before },
    };
  });
  await ports.signIn?.credentials.sync();
}

/** Row ids in one entry of the audit log. */
const RECORDED_MEMBER_COUNT_MAX = 100;

/** @throws {SpandrelError} `GROUP_INVALID` for a member that is no user, and for too many members */
async function changeMembers(
  groups: AuditedRepositories['groups'],
  rowId: number,
  change: MemberChange,
): Promise<AuditFields> {
  const { unknown, addedCount, removedCount } = await groups.changeMembers(rowId, change);
  if (unknown.length > 0) {
    throw new SpandrelError('GROUP_INVALID', `There is no user with the ID ${unknown.slice(0, 10).join(', ')}`);
  }
  const memberCount = await groups.countMembers(rowId);
  if (memberCount > GROUP_MEMBER_COUNT_MAX) {
    throw new SpandrelError('GROUP_INVALID', `A group has at most ${GROUP_MEMBER_COUNT_MAX} members`);
  }
  const listed = (rowIds: readonly number[]) => rowIds.slice(0, RECORDED_MEMBER_COUNT_MAX).map(String);
  return {
    ...{ memberCount, addedMemberCount: addedCount, removedMemberCount: removedCount },
    ...(change.added.length > 0 && { addedUsers: listed(change.added) }),
    ...(change.removed !== 'all' && change.removed.length > 0 && { removedUsers: listed(change.removed) }),
  };
}

const targetOf = ({ rowId, displayName }: Group) => ({ kind: 'Group', id: String(rowId), name: displayName });
const groupFields = ({ displayName, externalId }: Group): AuditFields => ({ displayName, externalId });
const notFound = () => new SpandrelError('GROUP_NOT_FOUND', 'Group not found');

function toName(text: string): string {
  const name = text.trim();
  if (name === '') throw new SpandrelError('GROUP_INVALID', 'A group needs a displayName');
  return checkLength(name, 'The displayName of a group');
}

const toExternalId = (text: string | null): string | null =>
  text === null || text === '' ? null : checkLength(text, 'The externalId of a group');

function checkLength(text: string, name: string): string {
  if (text.length <= CLAIM_LENGTH_MAX) return text;
  throw new SpandrelError('GROUP_INVALID', `${name} has at most ${CLAIM_LENGTH_MAX} characters`);
}
