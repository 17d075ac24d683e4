import { useState } from 'react';
import { ROLES } from '../../../access/roles.ts';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { InputField, SelectField } from '../../../components/fields.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { PAGE_CONFIG } from '../../../page-config.ts';
import { TextField } from '../fields.tsx';
import { createUser, patchUser, type SettingsUsersData } from './generated/access.ts';

export type User = SettingsUsersData['users']['edges'][number]['node'];
type Role = 'ADMIN' | 'MEMBER' | 'VIEWER';
type Method = User['authMethod'];

export const METHODS: ReadonlyMap<string, string> = new Map([
  ['LOCAL', 'Password'],
  ['OAUTH2', 'Identity provider'],
  ['LDAP', 'Directory'],
]);

/** The server protects the role of this account, so that an administrator always remains. */
export const DEFAULT_ADMIN_EMAIL = 'admin@localhost';

const { basicAuthDisabled, ldapEnabled, oAuth2Idps } = PAGE_CONFIG;
const AVAILABLE: readonly Method[] = [
  ...(basicAuthDisabled ? [] : (['LOCAL'] as const)),
  ...(oAuth2Idps.length > 0 ? (['OAUTH2'] as const) : []),
  ...(ldapEnabled ? (['LDAP'] as const) : []),
];

interface UserFormProps {
  /** Undefined for a new user. */
  readonly user: User | undefined;
  readonly isSelf: boolean;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Creates a user, or changes the name, the role or the password of one. */
export function UserForm({ user, isSelf, onClose, onSaved }: UserFormProps) {
  const [email, setEmail] = useState('');
  const [username, setUsername] = useState(user?.username ?? '');
  const [role, setRole] = useState<Role>((user?.role.name as Role | undefined) ?? 'MEMBER');
  const [method, setMethod] = useState<Method>(user?.authMethod ?? AVAILABLE[0] ?? 'LOCAL');
  const [password, setPassword] = useState('');
  const change = useChange();
  const roleReason = isSelf
    ? 'You cannot change your own role.'
    : user?.email === DEFAULT_ADMIN_EMAIL
      ? 'The default administrator keeps this role.'
      : undefined;
  const isChanged = user?.username !== username.trim() || user.role.name !== role || password !== '';
  const submit = () =>
    void change.run(
      () =>
        user
          ? send(patchUser, {
              input: {
                userId: user.id,
                ...(username.trim() === user.username ? {} : { newUsername: username.trim() }),
                ...(role === user.role.name ? {} : { newRole: role }),
                ...(password === '' ? {} : { newPassword: password }),
              },
            })
          : send(createUser, {
              input: {
                email: email.trim(),
                username: username.trim(),
                role,
                authMethod: method,
                ...(method === 'LOCAL' ? { password } : {}),
              },
            }),
      () => {
        toast(`${username.trim()} saved.`);
        onSaved();
        onClose();
      },
    );
  return (
    <FormDialog
      className="settings-form"
      title={user ? `Edit ${user.username}` : 'New user'}
      change={change}
      action={user ? 'Save' : 'Create user'}
      isReady={isChanged}
      onSubmit={submit}
      onClose={onClose}
    >
      {!user && <TextField label="Email" value={email} onChange={setEmail} placeholder="ada@example.com" />}
      <TextField label="Name" value={username} onChange={setUsername} placeholder="Ada" />
      <label className="field">
        <span>Role</span>
        <select
          className="input"
          value={role}
          disabled={roleReason !== undefined}
          onChange={(event) => setRole(event.target.value as Role)}
        >
          {[...ROLES].map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {roleReason && <span className="muted">{roleReason}</span>}
      </label>
      {!user && AVAILABLE.length > 1 && (
        <SelectField label="Signs in by" value={method} onChange={(value) => setMethod(value as Method)}>
          {AVAILABLE.map((value) => (
            <option key={value} value={value}>
              {METHODS.get(value)}
            </option>
          ))}
        </SelectField>
      )}
      {method === 'LOCAL' && (
        <InputField
          label={user ? 'New password' : 'First password'}
          hint={
            user
              ? 'Leave empty to keep the password. A new one signs the user out and is changed at the next sign-in.'
              : 'The user replaces it at the first sign-in.'
          }
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
        />
      )}
    </FormDialog>
  );
}
