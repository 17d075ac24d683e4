import { useState } from 'react';
import { isObject } from '../../../../semconv/read-open-inference.ts';
import { Dialog } from '../../Dialog.tsx';
import { Editor } from '../../editor/Editor.tsx';
import { InputField, SelectField } from '../../fields.tsx';
import { toast } from '../../toasts.tsx';
import { Switch } from '../../values/Card.tsx';
import { convertParameters } from '../variant/parameters.ts';
import { convertTools, toText } from '../variant/tools.ts';
import {
  type Connection,
  familyOf,
  MODEL_PROVIDERS,
  type ModelChoice,
  type ModelProvider,
  parseJson,
  type Variant,
} from '../variant/variant.ts';
import { providerLabel } from '../version-content.ts';
import { headersOf, setHeaders } from './headers.ts';
import { KeyFields } from './KeyFields.tsx';
import { storeModelDefault } from './model-default.ts';
import { ParameterFields } from './ParameterFields.tsx';
import { useModels } from './use-models.ts';

interface ModelDialogProps {
  readonly variant: Variant;
  readonly title: string;
  /** Whether calls can go to another address, which prompts do not store. Default true. */
  readonly hasAddress?: boolean;
  /** Whether the focus starts in the field of the key. Default false. */
  readonly startsAtKey?: boolean;
  readonly onChange: (variant: Variant) => void;
  readonly onClose: () => void;
}

const FORMS = [
  ['form', 'Form'],
  ['json', 'JSON'],
] as const;

/** Model of a variant: provider, name, key, address and parameters. Changes apply at once. */
export function ModelDialog({
  variant,
  title,
  hasAddress = true,
  startsAtKey = false,
  onChange,
  onClose,
}: ModelDialogProps) {
  const { model, parameters } = variant;
  const models = useModels(model);
  const [form, setForm] = useState<'form' | 'json'>('form');
  const setModel = (changes: Partial<ModelChoice>) => onChange({ ...variant, model: { ...model, ...changes } });
  const setProvider = (provider: ModelProvider, customProviderId: string | null) => {
    const [from, to] = [familyOf(model.provider), familyOf(provider)];
    const names = models.customProviders.find(({ id }) => id === customProviderId)?.modelNames ?? [];
    // Providers of one protocol may have models of the same name.
    const isKept = names.length > 0 ? names.includes(model.name) : from === to;
    onChange({
      ...variant,
      model: {
        ...model,
        ...{ provider, customProviderId, name: isKept ? model.name : (names[0] ?? '') },
        connection: provider === model.provider ? model.connection : {},
      },
      parameters: convertParameters(parameters, from, to),
      tools: from === to ? variant.tools : convertTools(variant.tools, to),
    });
  };
  const custom = models.customProviders.find(({ id }) => id === model.customProviderId);
  const providerName = custom?.name ?? providerLabel(model.provider);
  const hasApi = familyOf(model.provider) === 'openai';
  return (
    <Dialog title={title} isWide isOpen onClose={onClose}>
      <div className="model-form">
        <SelectField
          label="Provider"
          value={model.customProviderId ?? model.provider}
          onChange={(value) => {
            const custom = models.customProviders.find(({ id }) => id === value);
            if (custom) setProvider(custom.provider, custom.id);
            else setProvider(value as ModelProvider, null);
          }}
        >
          {(models.providers ?? MODEL_PROVIDERS).map((provider) => (
            <option key={provider} value={provider}>
              {providerLabel(provider)}
            </option>
          ))}
          {models.customProviders.length > 0 && (
            <optgroup label="Custom providers">
              {models.customProviders.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
        </SelectField>
        <label className="field">
          <span>Model</span>
          <input
            className="input mono"
            list="playground-models"
            placeholder="Choose a model"
            spellCheck={false}
            value={model.name}
            onChange={({ target }) => setModel({ name: target.value })}
          />
          <datalist id="playground-models">
            {models.names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
        {model.customProviderId === null && (
          <KeyFields provider={model.provider} hasServerKey={models.hasServerKey} hasFocusAtFirst={startsAtKey} />
        )}
        <section className="model-parameters">
          <header className="row">
            <h3 className="grow">Parameters</h3>
            <Switch label="Form of the parameters" values={FORMS} value={form} onChange={setForm} />
          </header>
          {form === 'form' ? (
            <ParameterFields
              offers={models.parameters}
              values={parameters}
              onChange={(next) => onChange({ ...variant, parameters: next })}
            />
          ) : (
            <JsonParameters
              value={toText(parameters)}
              onChange={(text) => {
                const next = parseJson(text);
                if (isObject(next)) onChange({ ...variant, parameters: next });
              }}
            />
          )}
        </section>
        {hasAddress && model.customProviderId === null && (
          <details className="model-address" open={Object.keys(model.connection).length > 0}>
            <summary>Address and headers</summary>
            {hasApi && model.provider !== 'AZURE_OPENAI' && (
              <Field label="Base URL" name="baseUrl" model={model} onChange={setModel} />
            )}
            {model.provider === 'AZURE_OPENAI' && (
              <Field label="Endpoint" name="azureEndpoint" model={model} onChange={setModel} />
            )}
            {(model.provider === 'ANTHROPIC' || model.provider === 'GOOGLE') && (
              <Field label="Base URL" name="baseUrl" model={model} onChange={setModel} />
            )}
            {model.provider === 'AWS' && (
              <>
                <Field label="Region" name="regionName" model={model} onChange={setModel} />
                <Field label="Endpoint URL" name="endpointUrl" model={model} onChange={setModel} />
              </>
            )}
            {model.provider === 'OPENAI' && (
              <>
                <Field label="Organization" name="organization" model={model} onChange={setModel} />
                <Field label="Project" name="project" model={model} onChange={setModel} />
              </>
            )}
            {hasApi && (
              <SelectField
                label="API"
                value={model.api}
                onChange={(value) => setModel({ api: value as ModelChoice['api'] })}
              >
                <option value="CHAT_COMPLETIONS">Chat completions</option>
                <option value="RESPONSES">Responses</option>
              </SelectField>
            )}
            <HeaderField variantId={variant.id} />
          </details>
        )}
      </div>
      <div className="dialog-actions">
        <button
          type="button"
          className="button"
          onClick={() => {
            storeModelDefault(model, parameters);
            toast(`${providerName} ${model.name} is the default of new variants in this browser.`);
          }}
        >
          Save as default
        </button>
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}

interface FieldProps {
  readonly label: string;
  readonly name: keyof Connection;
  readonly model: ModelChoice;
  readonly onChange: (changes: Partial<ModelChoice>) => void;
}

/** A field of the address. An empty one is the default of the vendor. */
function Field({ label, name, model: { connection }, onChange }: FieldProps) {
  return (
    <InputField
      label={label}
      isMono
      placeholder="Default of the vendor"
      spellCheck={false}
      value={connection[name] ?? ''}
      onChange={(value) => {
        const { [name]: _, ...rest } = connection;
        onChange({ connection: value === '' ? rest : { ...rest, [name]: value } });
      }}
    />
  );
}

/** The text is kept while it is no JSON, so that the user can type on. */
function JsonParameters({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  const [text, setText] = useState(value);
  return (
    <Editor
      label="JSON of the parameters"
      language="json"
      value={text}
      onChange={(next) => {
        setText(next);
        onChange(next);
      }}
    />
  );
}

function HeaderField({ variantId }: { readonly variantId: string }) {
  const [text, setText] = useState(() => toText(headersOf(variantId) ?? {}));
  const value = parseJson(text);
  const isWrong = !isObject(value) || Object.values(value).some((each) => typeof each !== 'string');
  return (
    <div className="field">
      <span>Headers</span>
      <Editor
        label="Headers as JSON"
        language="json"
        value={text}
        onChange={(next) => {
          setText(next);
          setHeaders(variantId, parseJson(next));
        }}
      />
      <span className={isWrong ? 'error-text' : 'muted'}>
        {isWrong
          ? 'Enter an object whose values are strings.'
          : 'They may be secrets, so they last until you leave the page.'}
      </span>
    </div>
  );
}
