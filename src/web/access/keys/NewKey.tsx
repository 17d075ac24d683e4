import { useState } from 'react';
import { FormDialog } from '../../components/FormDialog.tsx';
import { SelectField } from '../../components/fields.tsx';
import type { Operation } from '../../data/operation.ts';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { TextField } from '../../pages/settings/fields.tsx';
import { useAccess } from '../use-access.ts';
import type { CreateUserKeyData } from './generated/keys.ts';
import { type KeyScope, SCOPES } from './KeyList.tsx';
import { KeyProjects } from './KeyProjects.tsx';
import { ShownKey } from './ShownKey.tsx';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
  ['', 'Never'],
] as const;

interface KeyInput {
  readonly name: string;
  readonly description: string | null;
  readonly expiresAt: string | null;
  readonly scope: KeyScope;
  readonly projects: readonly string[] | null;
}

interface NewKeyProps {
  readonly title: string;
  readonly operation: Operation<CreateUserKeyData, { readonly input: KeyInput }>;
  /** What the key may be limited to. */
  readonly scopes: readonly KeyScope[];
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

/** Creates a key and then shows it, once. */
export function NewKey({ title, operation, scopes, onCreated, onClose }: NewKeyProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [days, setDays] = useState('90');
  const [scope, setScope] = useState<KeyScope>('ALL');
  const [projects, setProjects] = useState<readonly string[]>([]);
  const [created, setCreated] = useState<string>();
  const change = useChange();
  const { may } = useAccess();
  // A key has the role of its owner, and viewers send no spans.
  const allowedScopes = scopes.filter((value) => value !== 'SEND' || may('send'));
  if (created !== undefined) return <ShownKey name={name.trim()} text={created} onClose={onClose} />;
  const submit = () => {
    const input: KeyInput = {
      name: name.trim(),
      description: description.trim() || null,
      expiresAt: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
      scope,
      projects: projects.length > 0 ? projects : null,
    };
    let text = '';
    void change.run(
      async () => {
        text = (await send(operation, { input })).created.jwt;
      },
      () => {
        setCreated(text);
        onCreated();
      },
    );
  };
  return (
    <FormDialog
      className="settings-form"
      title={title}
      change={change}
      action="Create key"
      isReady={name.trim() !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} placeholder="Nightly export" />
      <TextField label="Description" value={description} onChange={setDescription} />
      <div className="settings-grid">
        <SelectField label="Expires after" value={days} onChange={setDays}>
          {LIFETIMES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField label="Scope" value={scope} onChange={(value) => setScope(value as KeyScope)}>
          {allowedScopes.map((value) => (
            <option key={value} value={value}>
              {SCOPES[value]}
            </option>
          ))}
        </SelectField>
      </div>
      <KeyProjects chosen={projects} onChoose={setProjects} />
    </FormDialog>
  );
}
