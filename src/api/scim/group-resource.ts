import type { MemberChange } from '../../model/access/group.ts';
import { GROUP_MEMBER_COUNT_MAX } from '../../model/limits/identity-providers.ts';
import type { FilterNode } from './parse-filter.ts';
import type { Operation } from './patch-operations.ts';
import { ScimError } from './scim-error.ts';
import { type Attributes, isObject, toAttributes, toMaybeId, toText } from './scim-values.ts';

/** What a request sets in a group. Absent fields keep their values. */
export interface GroupFields {
  readonly displayName?: string;
  readonly externalId?: string | null;
  readonly members?: MemberChange;
}

/** The body of a POST or PUT. */
export function readGroup(attributes: Attributes): GroupFields {
  const [name, externalId, members] = ['displayname', 'externalid', 'members'].map((one) => attributes.get(one));
  return {
    ...(name !== undefined && { displayName: toName(name) }),
    ...(externalId !== undefined && { externalId: toText('externalId', externalId) }),
    ...(members !== undefined && { members: { removed: 'all', added: readMembers(members) } }),
  };
}

/**
 * Changes that the operations make together. Members are changed one by one and not read before, so that two PATCHes of one
 * group at the same time lose nothing.
 *
 * @throws {ScimError} `mutability`, `invalidPath`, `invalidValue`
 */
export function readGroupPatch(operations: readonly Operation[]): GroupFields {
  let fields: GroupFields = {};
  const members = new MemberEdits();
  for (const { op, target, value, isNamed } of operations) {
    const { path, filter, sub } = target;
    const isWhole = filter === undefined && sub === undefined;
    if (path === 'members') {
      if (sub !== undefined && sub !== 'value') continue;
      members.apply(op, filter, value);
    } else if (path === 'displayname' && isWhole) {
      if (op === 'remove') throw new ScimError('invalidValue', 'displayName cannot be removed');
      fields = { ...fields, displayName: toName(value) };
    } else if (path === 'externalid' && isWhole) {
      fields = { ...fields, externalId: op === 'remove' ? null : toText('externalId', value) };
    } else if ((path === 'id' || path === 'meta') && isNamed) {
      throw new ScimError('mutability', `${path} cannot be changed`);
    }
  }
  return members.isEmpty ? fields : { ...fields, members: members.change };
}

class MemberEdits {
  #isReplaced = false;
  readonly #added = new Set<number>();
  readonly #removed = new Set<number>();

  get isEmpty(): boolean {
    return !this.#isReplaced && this.#added.size === 0 && this.#removed.size === 0;
  }

  get change(): MemberChange {
    return { removed: this.#isReplaced ? 'all' : [...this.#removed], added: [...this.#added] };
  }

  apply(op: Operation['op'], filter: FilterNode | undefined, value: unknown): void {
    if (op === 'remove') {
      if (filter !== undefined) this.#remove(idsOf(filter).map(toMaybeId));
      // Microsoft Entra names the members to remove in `value`.
      else if (Array.isArray(value) ? value.length > 0 : isObject(value)) this.#remove(idTexts(value).map(toMaybeId));
      else this.#removeAll();
      return;
    }
    if (filter !== undefined) throw new ScimError('invalidPath', 'A member can be added or removed, and not changed');
    if (op === 'replace') this.#removeAll();
    for (const id of readMembers(value)) this.#added.add(id);
    if (this.#added.size > GROUP_MEMBER_COUNT_MAX) throw tooManyMembers();
  }

  #removeAll(): void {
    this.#isReplaced = true;
    this.#added.clear();
    this.#removed.clear();
  }

  #remove(ids: readonly (number | undefined)[]): void {
    for (const id of ids) {
      if (id === undefined) continue;
      this.#added.delete(id);
      this.#removed.add(id);
    }
  }
}

function readMembers(value: unknown): number[] {
  const ids = idTexts(value);
  if (ids.length > GROUP_MEMBER_COUNT_MAX) throw tooManyMembers();
  const known = ids.map((text) => {
    const id = toMaybeId(text);
    if (id === undefined) throw new ScimError('invalidValue', `There is no user with the ID ${text.slice(0, 100)}`);
    return id;
  });
  return [...new Set(known)];
}

const tooManyMembers = () => new ScimError('invalidValue', `A group has at most ${GROUP_MEMBER_COUNT_MAX} members`);

/** IDs in a list of members, in one member, or in texts. */
function idTexts(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one) => {
    const fields = isObject(one) ? toAttributes(one) : new Map([['value', one]]);
    const type = fields.get('type');
    if (typeof type === 'string' && type.toLowerCase() === 'group') {
      throw new ScimError('invalidValue', 'A group cannot be a member of a group');
    }
    const id = fields.get('value');
    if (typeof id === 'number') return String(id);
    if (typeof id !== 'string') throw new ScimError('invalidValue', 'A member needs the ID of a user as its value');
    return id;
  });
}

/** IDs in `members[value eq "2" or value eq "3"]`. */
function idsOf(filter: FilterNode): string[] {
  if (filter.kind === 'or') return filter.parts.flatMap(idsOf);
  if (filter.kind === 'compare' && filter.path === 'value' && filter.operator === 'eq') return [String(filter.value)];
  throw new ScimError('invalidFilter', 'Members can only be selected by value eq "<id>"');
}

function toName(value: unknown): string {
  const name = toText('displayName', value);
  if (name === null) throw new ScimError('invalidValue', 'A group needs a displayName');
  return name;
}
