import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useAllPages } from '../../data/use-all-pages.ts';
import { useChange } from '../../data/use-change.ts';
import { TextField } from './fields.tsx';
import {
  type CreateModelVariables,
  createModel,
  deleteModel,
  type SettingsModelsData,
  settingsModels,
  updateModel,
} from './generated/settings.ts';
import { RowActions, SettingsList } from './SettingsList.tsx';

type Model = SettingsModelsData['generativeModels']['edges'][number]['node'];

const readModels = ({ generativeModels }: SettingsModelsData) => generativeModels;

/** Prices of models: built-in ones and those of users. */
export function Models() {
  const list = useAllPages(settingsModels, readModels);
  const [edited, setEdited] = useState<Model | 'new'>();
  const { may } = useAccess();
  return (
    <SettingsList
      title="Models and prices"
      about="Prices in US dollars per million tokens. Your own models take precedence over built-in ones. A changed price applies to new spans only."
      newLabel="Create model"
      onNew={may(createModel) ? () => setEdited('new') : undefined}
      list={list}
      noun="models"
      textOf={({ name, provider }) => `${name} ${provider ?? ''}`}
      row={(model) => (
        <li key={model.id} className="model-row">
          <span className="settings-name">
            <strong className="clip">{model.name}</strong>
            <code className="muted clip" title={model.namePattern}>
              {model.namePattern}
            </code>
          </span>
          <span className="muted model-provider">{model.provider}</span>
          <Price model={model} tokenType="input" />
          <Price model={model} tokenType="output" />
          {model.kind === 'CUSTOM' ? (
            <RowActions
              name={model.name}
              onEdit={may(updateModel) ? () => setEdited(model) : undefined}
              onDelete={may(deleteModel) ? () => send(deleteModel, { id: model.id }) : undefined}
              consequence="Existing spans keep their cost. New spans use the price of a built-in model if one matches."
              onDeleted={list.refetch}
            />
          ) : (
            <span className="muted settings-actions">built-in</span>
          )}
        </li>
      )}
    >
      {edited && (
        <ModelForm
          model={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={list.refetch}
        />
      )}
    </SettingsList>
  );
}

function Price({ model, tokenType }: { readonly model: Model; readonly tokenType: string }) {
  const price = model.tokenPrices.find((each) => each.tokenType === tokenType);
  return (
    <span className="model-price">
      {price ? `$${Number(price.costPerMillionTokens.toPrecision(6))}` : <span className="muted">--</span>}
      <span className="muted"> {tokenType}</span>
    </span>
  );
}

/** Token types with a field in the form. Prices of other token types keep their value. */
const PRICES = [
  ['input', 'PROMPT', 'Input'],
  ['output', 'COMPLETION', 'Output'],
  ['cache_read', 'PROMPT', 'Cache read'],
  ['cache_write', 'PROMPT', 'Cache write'],
] as const;

interface ModelFormProps {
  readonly model: Model | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function ModelForm({ model, onClose, onSaved }: ModelFormProps) {
  const [name, setName] = useState(model?.name ?? '');
  const [provider, setProvider] = useState(model?.provider ?? '');
  const [pattern, setPattern] = useState(model?.namePattern ?? '');
  const [prices, setPrices] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(model?.tokenPrices.map((each) => [each.tokenType, String(each.costPerMillionTokens)]) ?? []),
  );
  const change = useChange();
  const submit = () => {
    const costs: CreateModelVariables['input']['costs'][number][] = [];
    for (const [tokenType, kind, label] of PRICES) {
      const text = prices[tokenType]?.trim() ?? '';
      if (text === '') continue;
      const costPerMillionTokens = Number(text);
      if (!(costPerMillionTokens >= 0))
        return change.say(`The price of ${label.toLowerCase()} must be a number of US dollars.`);
      costs.push({ tokenType, kind, costPerMillionTokens });
    }
    for (const { tokenType, kind, costPerMillionTokens } of model?.tokenPrices ?? []) {
      if (!PRICES.some(([each]) => each === tokenType)) costs.push({ tokenType, kind, costPerMillionTokens });
    }
    if (name.trim() === '') return change.say('Enter a name.');
    const input = {
      name: name.trim(),
      provider: provider.trim() || null,
      namePattern: pattern.trim() || `^${name.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`,
      costs,
      startTime: model?.startTime ?? null,
    };
    void change.run(
      () => (model ? send(updateModel, { input: { ...input, id: model.id } }) : send(createModel, { input })),
      () => {
        toast(`${input.name} saved.`);
        onSaved();
        onClose();
      },
    );
  };
  return (
    <FormDialog
      className="settings-form"
      title={model ? `Edit ${model.name}` : 'New model'}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} placeholder="my-model-large" />
      <TextField
        label="Name pattern"
        value={pattern}
        onChange={setPattern}
        isMono
        hint="Regular expression to find in model names. Leave empty to match the exact name."
      />
      <TextField label="Provider" value={provider} onChange={setProvider} hint="Leave empty for any provider" />
      <fieldset className="settings-grid">
        <legend>US dollars per million tokens</legend>
        {PRICES.map(([tokenType, , label]) => (
          <TextField
            key={tokenType}
            label={label}
            value={prices[tokenType] ?? ''}
            onChange={(value) => setPrices({ ...prices, [tokenType]: value })}
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}
