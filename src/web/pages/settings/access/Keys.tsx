import { useState } from 'react';
import { createSystemKey, deleteSystemKey, deleteUserKey } from '../../../access/keys/generated/keys.ts';
import { type Key, KeyRow, SYSTEM_KEY_SCOPES } from '../../../access/keys/KeyList.tsx';
import { NewKey } from '../../../access/keys/NewKey.tsx';
import { send } from '../../../data/request.ts';
import { useQuery } from '../../../data/use-query.ts';
import { Link } from '../../../router/Link.tsx';
import { SettingsList } from '../SettingsList.tsx';
import { settingsKeys } from './generated/access.ts';
import './access.css';

/** Keys of the server and of all users. */
export function Keys() {
  const { data, failure, refetch } = useQuery(settingsKeys, NOTHING);
  const [isCreating, setCreating] = useState(false);
  const reread = () => void refetch();
  const listOf = <Item extends Key>(items: readonly Item[] | undefined) => ({
    items,
    isComplete: true,
    failure,
    refetch: reread,
  });
  return (
    <div className="access-lists">
      <SettingsList
        title="System keys"
        about="Keys of the server itself, which outlive the users who create them. They act like a member."
        newLabel="Create system key"
        onNew={() => setCreating(true)}
        list={listOf(data?.systemApiKeys)}
        noun="system keys"
        textOf={({ name, description }) => `${name} ${description ?? ''}`}
        empty="No system keys yet. Create one for a shared exporter or a scheduled job."
        row={(key) => (
          <KeyRow key={key.id} apiKey={key} onDelete={() => send(deleteSystemKey, { id: key.id })} onDeleted={reread} />
        )}
      >
        {isCreating && (
          <NewKey
            title="New system key"
            operation={createSystemKey}
            scopes={SYSTEM_KEY_SCOPES}
            onCreated={reread}
            onClose={() => setCreating(false)}
          />
        )}
      </SettingsList>
      <SettingsList
        title="Keys of users"
        about="Each key acts as its owner, with the current role of the owner."
        list={listOf(data?.userApiKeys)}
        noun="keys of users"
        textOf={({ name, user }) => `${name} ${user.username} ${user.email ?? ''}`}
        empty="No user has a key. Users create keys on their profile page."
        row={(key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            owner={key.user.email ?? key.user.username}
            onDelete={() => send(deleteUserKey, { id: key.id })}
            onDeleted={reread}
          />
        )}
      />
      <p className="muted">
        Your own keys are also on your <Link to="/profile">profile page</Link>.
      </p>
    </div>
  );
}

const NOTHING = {};
