import { useState } from 'react';
import { setCredential, useCredentials } from '../../../components/prompt/model/credentials.ts';
import { DeleteButton } from '../../../access/keys/KeyList.tsx';
import { useAccess } from '../../../access/use-access.ts';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useAllPages } from '../../../data/use-all-pages.ts';
import { useChange } from '../../../data/use-change.ts';
import { formatAge } from '../../../format/ages.ts';
import { TextField } from '../fields.tsx';
import { changeSecrets, type SettingsSecretsData, settingsSecrets } from '../secrets/generated/secrets.ts';
import type { Secret } from '../secrets/SecretForm.tsx';
import { sourceWord, type Vendor, type VendorKey } from './vendor-text.ts';

interface VendorKeysProps {
  readonly vendor: Vendor;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Keys of a vendor: stored on the server for all users by an administrator, or kept in this browser. */
export function VendorKeys(props: VendorKeysProps) {
  const { may } = useAccess();
  return may(settingsSecrets) && may(changeSecrets) ? <WithSecrets {...props} /> : <KeysForm {...props} />;
}

const readSecrets = ({ secrets }: SettingsSecretsData) => secrets;

function WithSecrets(props: VendorKeysProps) {
  const { items, isComplete, failure, refetch } = useAllPages(settingsSecrets, readSecrets);
  // The hosts of a stored key must be in the form before it is shown.
  if (!isComplete && failure === undefined) return null;
  return <KeysForm {...props} secrets={items ?? []} onSecretsChanged={refetch} />;
}

interface KeysFormProps extends VendorKeysProps {
  /** Stored secrets. Undefined for users who cannot store one. */
  readonly secrets?: readonly Secret[];
  readonly onSecretsChanged?: () => void;
}

function KeysForm({ vendor, secrets, onClose, onSaved, onSecretsChanged }: KeysFormProps) {
  const { name, host } = vendor;
  const stored = vendor.keys.flatMap((key) => secrets?.find((secret) => secret.key === key.name) ?? []);
  const [isShared, setShared] = useState(secrets !== undefined);
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const [hosts, setHosts] = useState(() => stored.find((secret) => secret.hosts)?.hosts?.join(', ') ?? '');
  const change = useChange();
  // Runs send the usual key of a browser. Another name for it exists only on the server.
  const keys = vendor.keys.filter((key) => isShared || !key.isAlternative);
  const entered = [...values].filter(([key, value]) => value.trim() !== '' && keys.some((each) => each.name === key));
  const submit = () => {
    if (!isShared) {
      for (const [key, value] of entered) setCredential(key, value.trim());
      toast(`${entered.map(([key]) => key).join(' and ')} kept in this browser.`);
      onClose();
      return;
    }
    const names = hosts.split(/[\s,]+/).filter((each) => each !== '');
    const boundTo = names.length === 0 ? null : names;
    void change.run(
      () => send(changeSecrets, { secrets: entered.map(([key, value]) => ({ key, value, hosts: boundTo })) }),
      () => {
        toast(`${entered.map(([key]) => key).join(' and ')} stored.`);
        onSecretsChanged?.();
        onSaved();
        onClose();
      },
    );
  };
  return (
    <FormDialog
      className="settings-form vendor-form"
      title={`Keys of ${name}`}
      change={change}
      action={isShared ? 'Store on the server' : 'Keep in this browser'}
      isReady={entered.length > 0}
      onSubmit={submit}
      onClose={onClose}
    >
      {keys.map((key) => (
        <KeyField
          key={key.name}
          vendorKey={key}
          secret={stored.find((secret) => secret.key === key.name)}
          value={values.get(key.name) ?? ''}
          onChange={(value) => setValues(new Map([...values, [key.name, value]]))}
          onDeleted={() => {
            onSecretsChanged?.();
            onSaved();
          }}
        />
      ))}
      {secrets !== undefined ? (
        <fieldset className="vendor-place">
          <legend>Where to keep what you enter</legend>
          <label>
            <input type="radio" checked={isShared} onChange={() => setShared(true)} /> On the server, encrypted, for the
            runs of all users
          </label>
          <label>
            <input type="radio" checked={!isShared} onChange={() => setShared(false)} /> In this browser, for your runs
            only
          </label>
        </fieldset>
      ) : (
        <p className="muted">
          A key stays in this browser and is sent only with your runs. Administrators can store one for all users.
        </p>
      )}
      {isShared && (
        <TextField
          label="Hosts"
          value={hosts}
          onChange={setHosts}
          isMono
          placeholder={host ?? 'gateway.example.com'}
          hint="Only these hosts receive the key, also if a user enters one as a base URL. Empty: only the address of the vendor or of the environment."
        />
      )}
    </FormDialog>
  );
}

interface KeyFieldProps {
  readonly vendorKey: VendorKey;
  readonly secret: Secret | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onDeleted: () => void;
}

/** A key with its sources, and a field for another value. */
function KeyField({ vendorKey, secret, value, onChange, onDeleted }: KeyFieldProps) {
  const { name, isRequired, isAlternative } = vendorKey;
  const inBrowser = useCredentials().has(name);
  return (
    <div className="vendor-key">
      <label className="field">
        <span>
          <code>{name}</code>
          {!isRequired && (
            <span className="muted"> {isAlternative ? 'used if the key above is absent' : 'optional'}</span>
          )}
        </span>
        <input
          className="input mono"
          type="password"
          // Browsers would offer the password of the account.
          autoComplete="new-password"
          placeholder={secret || inBrowser ? 'Enter another value' : ''}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </label>
      <div className="row wraps vendor-sources">
        <span className="muted">
          {secret
            ? `Stored ${formatAge(secret.updatedAt)}${secret.user ? ` by ${secret.user.username}` : ''}, ${
                secret.hosts ? `only for ${secret.hosts.join(', ')}` : 'not bound to a host'
              }`
            : `On the server: ${vendorKey.source === null ? 'nothing' : sourceWord(vendorKey)}`}
        </span>
        {secret && (
          <DeleteButton
            name={name}
            consequence="Runs that use this secret fail until another value is stored. You cannot undo it."
            action="Delete secret"
            onDelete={() => send(changeSecrets, { secrets: [{ key: name, value: null }] })}
            onDeleted={onDeleted}
          />
        )}
        {inBrowser && (
          <>
            <span className="provider-ok">In this browser too</span>
            <button type="button" className="button small" onClick={() => setCredential(name, '')}>
              Remove from this browser
            </button>
          </>
        )}
      </div>
    </div>
  );
}
