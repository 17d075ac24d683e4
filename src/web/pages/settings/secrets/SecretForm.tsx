import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { TextField } from '../fields.tsx';
import { changeSecrets, type SettingsSecretsData } from './generated/secrets.ts';

export type Secret = SettingsSecretsData['secrets']['edges'][number]['node'];

interface SecretFormProps {
  /** Undefined for a new secret. */
  readonly secret: Secret | undefined;
  readonly keys: readonly string[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Stores a secret, or replaces its value and hosts. The stored value is never shown. */
export function SecretForm({ secret, keys, onClose, onSaved }: SecretFormProps) {
  const [key, setKey] = useState(secret?.key ?? '');
  const [value, setValue] = useState('');
  const [hosts, setHosts] = useState(secret?.hosts?.join(', ') ?? '');
  const change = useChange();
  const name = key.trim();
  const submit = () => {
    if (!secret && keys.includes(name)) return change.say(`${name} exists. Close this form and replace its value.`);
    const names = hosts.split(/[\s,]+/).filter((host) => host !== '');
    void change.run(
      () => send(changeSecrets, { secrets: [{ key: name, value, hosts: names.length === 0 ? null : names }] }),
      () => {
        toast(`${name} stored.`);
        onSaved();
        onClose();
      },
    );
  };
  return (
    <FormDialog
      className="settings-form"
      title={secret ? `Replace ${secret.key}` : 'New secret'}
      change={change}
      action={secret ? 'Replace value' : 'Store secret'}
      isReady={name !== '' && value.trim() !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      {!secret && (
        <TextField
          label="Name"
          value={key}
          onChange={setKey}
          isMono
          placeholder="OPENAI_API_KEY"
          hint="Letters, digits and underscores. Model providers find the secret by this name."
        />
      )}
      <label className="field">
        <span>{secret ? 'New value' : 'Value'}</span>
        <input
          className="input mono"
          type="password"
          // Browsers would offer the password of the account.
          autoComplete="new-password"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
        <span className="muted">The value is encrypted and is never shown again.</span>
      </label>
      <TextField
        label="Hosts"
        value={hosts}
        onChange={setHosts}
        isMono
        placeholder="api.openai.com, *.example.com"
        hint="Only these hosts receive the value, also if a user enters one as a base URL. Empty: only the address of the vendor or of the environment."
      />
    </FormDialog>
  );
}
