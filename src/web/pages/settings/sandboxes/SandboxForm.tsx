import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { InputField, SelectField } from '../../../components/fields.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { TextField, toNumber } from '../fields.tsx';
import { createSandboxConfig, updateSandboxConfig } from './generated/sandboxes.ts';
import { type Backend, LANGUAGES, type SandboxConfig } from './sandbox-text.ts';

/** Seconds. The server has the same bounds and checks them. */
const TIMEOUT = { usual: 30, max: 300 };

interface SandboxFormProps {
  readonly backend: Backend;
  /** Undefined for a new config. */
  readonly config: SandboxConfig | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Creates or edits a config. Its name and language stay, because evaluators refer to it. */
export function SandboxForm({ backend, config, onClose, onSaved }: SandboxFormProps) {
  const [name, setName] = useState(config?.name ?? '');
  const [description, setDescription] = useState(config?.description ?? '');
  const [language, setLanguage] = useState(config?.language ?? backend.supportedLanguages[0]!);
  const [timeout, setTimeoutText] = useState(String(config?.timeout ?? TIMEOUT.usual));
  const [isEnabled, setEnabled] = useState(config?.enabled ?? true);
  const change = useChange();
  const seconds = toNumber(timeout);
  const isTimeoutWrong = seconds === null || !Number.isInteger(seconds) || seconds < 1 || seconds > TIMEOUT.max;
  const submit = () => {
    if (isTimeoutWrong) return change.say(`Enter a time limit from 1 to ${TIMEOUT.max} seconds.`);
    const fields = { description: description.trim() || null, timeout: seconds, enabled: isEnabled };
    void change.run(
      () =>
        config
          ? send(updateSandboxConfig, { input: { id: config.id, ...fields } })
          : send(createSandboxConfig, { input: { name: name.trim(), config: { wasm: { language } }, ...fields } }),
      () => {
        toast(`${name.trim()} saved.`);
        onSaved();
        onClose();
      },
    );
  };
  return (
    <FormDialog
      className="settings-form"
      title={config ? `Edit ${config.name}` : `New config for ${backend.displayName}`}
      change={change}
      isReady={name.trim() !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      {!config && (
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          isMono
          placeholder="quick-checks"
          hint="Evaluators choose the config by this name, which cannot change."
        />
      )}
      <TextField label="Description" value={description} onChange={setDescription} />
      <div className="settings-grid">
        <SelectField
          label="Language"
          value={language}
          disabled={config !== undefined}
          onChange={(value) => setLanguage(value as SandboxConfig['language'])}
        >
          {backend.supportedLanguages.map((each) => (
            <option key={each} value={each}>
              {LANGUAGES[each]}
            </option>
          ))}
        </SelectField>
        <InputField
          label="Time limit in seconds"
          isMono
          inputMode="numeric"
          value={timeout}
          aria-invalid={isTimeoutWrong}
          onChange={setTimeoutText}
        />
      </div>
      <p className="muted">
        A run that exceeds its time limit is ended and fails. A run has 64 MiB of memory, and no files, network or
        environment variables.
      </p>
      <label className="row">
        <input type="checkbox" checked={isEnabled} onChange={({ target }) => setEnabled(target.checked)} /> Evaluators
        may use it
      </label>
    </FormDialog>
  );
}
