import { useState } from 'react';
import { DeleteButton } from '../../../access/keys/KeyList.tsx';
import { ROLES } from '../../../access/roles.ts';
import { useAccess } from '../../../access/use-access.ts';
import { Icon } from '../../../components/Icon.tsx';
import { send } from '../../../data/request.ts';
import { useAllPages } from '../../../data/use-all-pages.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { SettingsList } from '../SettingsList.tsx';
import { deleteUser, type SettingsUsersData, settingsUsers } from './generated/access.ts';
import { DEFAULT_ADMIN_EMAIL, METHODS, type User, UserForm } from './UserForm.tsx';
import './access.css';

const readUsers = ({ users }: SettingsUsersData) => users;

const countOf = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** All accounts of people. */
export function Users() {
  const times = useTimeFormat();
  const { viewer } = useAccess();
  const list = useAllPages(settingsUsers, readUsers);
  const [edited, setEdited] = useState<User | 'new'>();
  const isDeletable = ({ id, email }: User) => id !== viewer?.id && email !== DEFAULT_ADMIN_EMAIL;
  return (
    <SettingsList
      title="Users"
      about="People who can sign in. Viewers read, members also change data, administrators also manage users, keys and the server."
      newLabel="Create user"
      onNew={() => setEdited('new')}
      list={list}
      noun="users"
      textOf={({ username, email }) => `${username} ${email ?? ''}`}
      row={(user) => (
        <li key={user.id} className="user-row">
          <span className="settings-name">
            <strong className="clip" title={user.username}>
              {user.username}
              {user.id === viewer?.id && <span className="muted"> (you)</span>}
            </strong>
            <span className="muted clip">{user.email ?? 'No email'}</span>
          </span>
          <span>{ROLES.get(user.role.name)}</span>
          <span className="settings-name">
            <span className="muted clip">{METHODS.get(user.authMethod)}</span>
            {user.passwordNeedsReset && <span className="muted clip">new password at next sign-in</span>}
          </span>
          <span className="settings-name muted" title={`Created ${times.full(user.createdAt)}`}>
            <span className="clip">{countOf(user.apiKeyCount, 'key')}</span>
            {user.oauth2GrantCount > 0 && <span className="clip">{countOf(user.oauth2GrantCount, 'app')}</span>}
          </span>
          <span className="row settings-actions">
            <button
              type="button"
              className="button bare small icon-only"
              aria-label={`Edit ${user.username}`}
              onClick={() => setEdited(user)}
            >
              <Icon name="edit" size={13} />
            </button>
            {isDeletable(user) && (
              <DeleteButton
                name={user.username}
                consequence="The user is signed out and can no longer sign in. The user's API keys are deleted. What the user created stays. You cannot undo it."
                action="Delete user"
                onDelete={() => send(deleteUser, { id: user.id })}
                onDeleted={list.refetch}
              />
            )}
          </span>
        </li>
      )}
    >
      {edited && (
        <UserForm
          user={edited === 'new' ? undefined : edited}
          isSelf={edited !== 'new' && edited.id === viewer?.id}
          onClose={() => setEdited(undefined)}
          onSaved={list.refetch}
        />
      )}
    </SettingsList>
  );
}
