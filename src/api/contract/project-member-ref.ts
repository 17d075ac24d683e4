import { SpandrelError } from '../../model/errors.ts';
import type { GivenMember } from '../../domain/domain.ts';

/** The fields of a member, of which a caller gives one. */
interface MemberFields {
  readonly userRowId?: number | null | undefined;
  readonly email?: string | null | undefined;
  readonly group?: string | null | undefined;
}

/** @throws {SpandrelError} `PROJECT_MEMBER_INVALID` */
export function toGivenMember({ userRowId, email, group }: MemberFields): GivenMember {
  const given: GivenMember[] = [];
  if (userRowId != null) given.push({ userRowId });
  if (email != null) given.push({ email });
  if (group != null) given.push({ group });
  const [member] = given;
  if (member && given.length === 1) return member;
  throw new SpandrelError('PROJECT_MEMBER_INVALID', 'Name the member by exactly one of user, email and group');
}

/** The same for a member that is removed, which an email does not name. */
export function toMemberRef(fields: Omit<MemberFields, 'email'>): Exclude<GivenMember, { readonly email: string }> {
  const member = toGivenMember(fields);
  if ('email' in member) throw new SpandrelError('PROJECT_MEMBER_INVALID', 'Name the member by user or group');
  return member;
}
