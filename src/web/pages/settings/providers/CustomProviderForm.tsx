import { useRef, useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { SelectField } from '../../../components/fields.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { TextField } from '../fields.tsx';
import {
  type ConfigDraft,
  type ConfigField,
  type CustomProvider,
  fieldsOf,
  hasApi,
  hasHeaders,
  isComplete,
  METHODS,
  newConfig,
  SDKS,
  type Sdk,
  toConfigDraft,
  toConfigInput,
} from './custom-config.ts';
import { createCustomProvider, patchCustomProvider, testCustomProvider } from './generated/providers.ts';
import { TestResult, useProviderTest } from './provider-test.tsx';

interface CustomProviderFormProps {
  /** The SDK of a new provider. */
  readonly edited: CustomProvider | Sdk;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Creates or edits a custom provider. Stored secrets are kept unless the user types others. */
export function CustomProviderForm({ edited, onClose, onSaved }: CustomProviderFormProps) {
  const provider = typeof edited === 'string' ? undefined : edited;
  const [name, setName] = useState(provider?.name ?? '');
  const [description, setDescription] = useState(provider?.description ?? '');
  const [word, setWord] = useState(provider?.provider ?? '');
  const [draft, setDraft] = useState(() => (typeof edited === 'string' ? newConfig(edited) : toConfigDraft(edited)));
  const change = useChange();
  const test = useProviderTest();
  const { hasOwnWord, word: usualWord, methods } = SDKS[draft.sdk];
  const update = (changes: Partial<ConfigDraft>) => {
    test.clear();
    setDraft({ ...draft, ...changes });
  };
  const submit = () => {
    const fields = {
      ...{ name: name.trim(), description: description.trim() || null },
      provider: (hasOwnWord && word.trim()) || usualWord,
      clientConfig: toConfigInput(draft),
    };
    void change.run(
      () =>
        provider
          ? send(patchCustomProvider, { input: { id: provider.id, ...fields } })
          : send(createCustomProvider, { input: fields }),
      () => {
        toast(`${fields.name} saved.`);
        onSaved();
        onClose();
      },
    );
  };
  return (
    <FormDialog
      className="settings-form provider-form"
      title={provider ? `Edit ${provider.name}` : 'New custom provider'}
      change={change}
      isReady={name.trim() !== '' && isComplete(draft)}
      onSubmit={submit}
      onClose={onClose}
    >
      {provider?.config.__typename === 'UnparsableConfig' && (
        <p className="error-text" role="alert">
          The stored config cannot be read: {provider.config.parseError}. Enter it again.
        </p>
      )}
      <TextField label="Name" value={name} onChange={setName} placeholder="Gateway of the team" />
      <TextField label="Description" value={description} onChange={setDescription} />
      <div className="settings-grid">
        <SelectField label="SDK" value={draft.sdk} onChange={(value) => update(withSdk(draft, value as Sdk))}>
          {sdksFor(provider).map((sdk) => (
            <option key={sdk} value={sdk}>
              {SDKS[sdk].label}
            </option>
          ))}
        </SelectField>
        {methods.length > 1 && (
          <SelectField
            label="Authentication"
            value={draft.method}
            onChange={(value) => update({ method: value as ConfigDraft['method'] })}
          >
            {methods.map((method) => (
              <option key={method} value={method}>
                {METHODS[method]}
              </option>
            ))}
          </SelectField>
        )}
        {hasApi(draft.sdk) && (
          <SelectField label="API" value={draft.api} onChange={(value) => update({ api: value as ConfigDraft['api'] })}>
            <option value="CHAT_COMPLETIONS">Chat completions</option>
            <option value="RESPONSES">Responses</option>
          </SelectField>
        )}
      </div>
      {draft.method === 'identity' && (
        <p className="muted">Calls use the identity with which this server runs. No key is stored.</p>
      )}
      {fieldsOf(draft).map((field) => (
        <ConfigText
          key={field.name}
          field={field}
          value={draft.texts.get(field.name) ?? ''}
          isStored={draft.stored.has(field.name)}
          onChange={(text) => update({ texts: new Map([...draft.texts, [field.name, text]]) })}
        />
      ))}
      {hasOwnWord && (
        <TextField
          label="Recorded as"
          value={word}
          onChange={setWord}
          isMono
          placeholder={usualWord}
          hint={
            <>
              Value of <code>llm.provider</code> in spans.
            </>
          }
        />
      )}
      {hasHeaders(draft.sdk) && <HeaderFields draft={draft} onChange={(headers) => update({ headers })} />}
      <div className="provider-test">
        <button
          type="button"
          className="button"
          disabled={test.isBusy || !isComplete(draft)}
          onClick={() =>
            test.run(async () => {
              const result = await send(testCustomProvider, { input: toConfigInput(draft) });
              return result.testGenerativeModelCustomProviderCredentials.error;
            })
          }
        >
          Test
        </button>
        <TestResult test={test} name={name.trim() || 'The provider'} />
      </div>
    </FormDialog>
  );
}

/** SDKs that a provider can have. A stored one can change only between the two that support the same calls. */
const sdksFor = (provider: CustomProvider | undefined): readonly Sdk[] => {
  if (provider === undefined) return Object.keys(SDKS) as Sdk[];
  return hasApi(provider.sdk) ? ['OPENAI', 'AZURE_OPENAI'] : [provider.sdk];
};

/** Another SDK keeps the texts that it has too. */
const withSdk = (draft: ConfigDraft, sdk: Sdk): Partial<ConfigDraft> => ({ ...newConfig(sdk), texts: draft.texts });

interface ConfigTextProps {
  readonly field: ConfigField;
  readonly value: string;
  /** Whether the server has a value that an empty text keeps. */
  readonly isStored: boolean;
  readonly onChange: (text: string) => void;
}

function ConfigText({ field, value, isStored, onChange }: ConfigTextProps) {
  const { label, isRequired, isSecret, placeholder } = field;
  return (
    <label className="field">
      <span>{isRequired ? label : `${label} (optional)`}</span>
      <input
        className="input mono"
        type={isSecret ? 'password' : 'text'}
        // Browsers would offer the password of the account.
        autoComplete={isSecret ? 'new-password' : 'off'}
        spellCheck={false}
        placeholder={isStored ? 'Stored. Leave empty to keep it.' : placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

interface HeaderFieldsProps {
  readonly draft: ConfigDraft;
  readonly onChange: (headers: ConfigDraft['headers']) => void;
}

function HeaderFields({ draft: { headers }, onChange }: HeaderFieldsProps) {
  const count = useRef(0);
  const set = (id: string, changes: { readonly name?: string; readonly value?: string }) =>
    onChange(headers.map((header) => (header.id === id ? { ...header, ...changes } : header)));
  return (
    <fieldset className="provider-headers">
      <legend>Headers</legend>
      {headers.map(({ id, name, value, stored }, index) => (
        <div className="provider-header" key={id}>
          <input
            className="input mono"
            aria-label={`Name of header ${index + 1}`}
            placeholder="X-Team"
            spellCheck={false}
            value={name}
            onChange={({ target }) => set(id, { name: target.value })}
          />
          <input
            className="input mono"
            type="password"
            autoComplete="new-password"
            aria-label={`Value of header ${index + 1}`}
            placeholder={stored === undefined ? 'Value' : 'Stored. Leave empty to keep it.'}
            value={value}
            onChange={({ target }) => set(id, { value: target.value })}
          />
          <button
            type="button"
            className="button bare small icon-only"
            aria-label={`Remove header ${index + 1}`}
            onClick={() => onChange(headers.filter((header) => header.id !== id))}
          >
            <Icon name="close" size={12} />
          </button>
        </div>
      ))}
      <button
        type="button"
        className="button small"
        onClick={() => {
          count.current += 1;
          onChange([...headers, { id: `new-${count.current}`, name: '', value: '' }]);
        }}
      >
        <Icon name="plus" size={12} /> Header
      </button>
    </fieldset>
  );
}
