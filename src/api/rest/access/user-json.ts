import { Type } from '@sinclair/typebox';
import { ASSIGNABLE_ROLES, type User } from '../../../model/access/user.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { dateText } from '../date-text.ts';
import { DateTimeText, OneOf } from '../schema.ts';

const ROLES = ['SYSTEM', ...ASSIGNABLE_ROLES] as const;

/** Every field that an account of some kind has. A field without a value is absent. */
export const UserJson = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    username: Type.String(),
    email: Type.String({ description: 'Empty for an account of a directory without emails.' }),
    role: OneOf(ROLES),
    auth_method: OneOf(['LOCAL', 'OAUTH2', 'LDAP']),
    created_at: DateTimeText(),
    updated_at: DateTimeText(),
    password_needs_reset: Type.Optional(Type.Boolean({ description: 'Of a local account.' })),
    oauth2_client_id: Type.Optional(Type.String()),
    oauth2_user_id: Type.Optional(Type.String()),
    profile_picture_url: Type.Optional(Type.String()),
  },
  { $id: 'User' },
);

export const toUserJson = (user: User) => ({
  id: toGlobalId('User', user.rowId),
  username: user.username,
  email: user.email ?? '',
  role: user.role,
  created_at: dateText(user.createdAt),
  updated_at: dateText(user.updatedAt),
  auth_method: user.authMethod,
  ...(user.authMethod === 'LOCAL' && { password_needs_reset: user.passwordNeedsReset }),
  ...(user.oauth2ClientId !== null && { oauth2_client_id: user.oauth2ClientId }),
  ...(user.oauth2UserId !== null && { oauth2_user_id: user.oauth2UserId }),
  ...(user.authMethod === 'OAUTH2' &&
    user.profilePictureUrl !== null && { profile_picture_url: user.profilePictureUrl }),
});
