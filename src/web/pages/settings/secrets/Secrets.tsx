import { useState } from 'react';
import { DeleteButton } from '../../../access/keys/KeyList.tsx';
import { useAccess } from '../../../access/use-access.ts';
import { Icon } from '../../../components/Icon.tsx';
import { send } from '../../../data/request.ts';
import { useAllPages } from '../../../data/use-all-pages.ts';
import { formatAge } from '../../../format/ages.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { SettingsList } from '../SettingsList.tsx';
import { changeSecrets, type SettingsSecretsData, settingsSecrets } from './generated/secrets.ts';
import { type Secret, SecretForm } from './SecretForm.tsx';
import './secrets.css';

const readSecrets = ({ secrets }: SettingsSecretsData) => secrets;

/** Named credentials of model providers. Their values are never shown. */
export function Secrets() {
  const { may } = useAccess();
  const list = useAllPages(settingsSecrets, readSecrets);
  const [edited, setEdited] = useState<Secret | 'new'>();
  const canChange = may(changeSecrets);
  return (
    <SettingsList
      title="Secrets"
      about="Credentials of model providers, encrypted in the database. The server uses them; no page, response or log contains a value."
      newLabel="Store secret"
      onNew={canChange ? () => setEdited('new') : undefined}
      list={list}
      noun="secrets"
      textOf={({ key, user, hosts }) => `${key} ${user?.username ?? ''} ${hosts?.join(' ') ?? ''}`}
      empty="No secrets yet. Store the API key of a model provider, for example OPENAI_API_KEY, so that users do not need their own."
      row={(secret) => (
        <SecretRow
          key={secret.id}
          secret={secret}
          onReplace={canChange ? () => setEdited(secret) : undefined}
          onDeleted={list.refetch}
        />
      )}
    >
      {edited && (
        <SecretForm
          secret={edited === 'new' ? undefined : edited}
          keys={(list.items ?? []).map(({ key }) => key)}
          onClose={() => setEdited(undefined)}
          onSaved={list.refetch}
        />
      )}
    </SettingsList>
  );
}

interface SecretRowProps {
  readonly secret: Secret;
  readonly onReplace: (() => void) | undefined;
  readonly onDeleted: () => void;
}

function SecretRow({ secret, onReplace, onDeleted }: SecretRowProps) {
  const times = useTimeFormat();
  const { key, hosts, keyId, updatedAt, user } = secret;
  const hostText = hosts?.join(', ') ?? 'Hosts that an administrator has chosen';
  return (
    <li className="secret-row">
      <span className="settings-name">
        <strong className="clip mono" title={key}>
          {key}
        </strong>
        <span className="muted clip" title={hosts ? `Only these hosts receive the value: ${hostText}` : hostText}>
          {hostText}
        </span>
      </span>
      <span className="settings-name secret-facts">
        <span className="clip" title={times.full(updatedAt)}>
          Stored {formatAge(updatedAt)}
        </span>
        <span className="muted clip">{user ? `by ${user.username}` : 'by no known user'}</span>
      </span>
      <span className="settings-name secret-facts">
        <KeyState secret={secret} />
        <span className="muted clip">
          key <code title="ID of the key that encrypts the value">{keyId ?? 'without ID'}</code>
        </span>
      </span>
      <span className="row settings-actions">
        {onReplace && (
          <>
            <button
              type="button"
              className="button bare small icon-only"
              aria-label={`Replace ${key}`}
              title="Replace the value"
              onClick={onReplace}
            >
              <Icon name="edit" size={13} />
            </button>
            <DeleteButton
              name={key}
              consequence="Requests to model providers that use this secret fail until another value is stored. You cannot undo it."
              action="Delete secret"
              onDelete={() => send(changeSecrets, { secrets: [{ key, value: null }] })}
              onDeleted={onDeleted}
            />
          </>
        )}
      </span>
    </li>
  );
}

function KeyState({ secret: { value, hasCurrentKey } }: { readonly secret: Secret }) {
  if (value.__typename === 'UnparsableSecret') {
    return (
      <span
        className="status-error clip"
        title="The server does not have the key of this value. Add its former secret to SERVICE_FORMER_SECRETS, or replace the value."
      >
        Cannot be decrypted
      </span>
    );
  }
  return (
    <span
      className="clip"
      title={
        hasCurrentKey ? 'Encrypted with the current key' : 'The command “spandrel secrets rotate” encrypts it again'
      }
    >
      {hasCurrentKey ? 'Current key' : 'Former key'}
    </span>
  );
}
