import { useState } from 'react';
import type { Variant } from '../../../components/prompt/variant/variant.ts';
import { useQuery } from '../../../data/use-query.ts';
import { playgroundDataset } from '../generated/playground.ts';
import type { CaseSource } from '../state/cases.ts';
import { REPETITION_COUNT_MAX, type RunBudget, type RunSettings } from '../state/draft.ts';

interface RunSettingsPanelProps {
  readonly settings: RunSettings;
  readonly source: CaseSource;
  readonly format: Variant['format'];
  readonly onChange: (settings: Partial<RunSettings>) => void;
  readonly onFormat: (format: Variant['format']) => void;
}

/** Settings that all variants share. */
export function RunSettingsPanel({ settings, source, format, onChange, onFormat }: RunSettingsPanelProps) {
  const { repetitions, isStreamed, budget = {} } = settings;
  return (
    <div className="run-settings">
      <label className="pg-setting">
        <span>Template</span>
        <select className="input" value={format} onChange={({ target }) => onFormat(target.value as Variant['format'])}>
          <option value="MUSTACHE" title={'{{name}}'}>
            Mustache
          </option>
          <option value="F_STRING" title={'{name}'}>
            F-string
          </option>
          <option value="NONE">Plain text</option>
        </select>
      </label>
      <NumberSetting
        label="Repetitions"
        value={repetitions}
        max={REPETITION_COUNT_MAX}
        onChange={(next) => onChange({ repetitions: next })}
      />
      <label className="row">
        <input
          type="checkbox"
          checked={isStreamed}
          onChange={({ target }) => onChange({ isStreamed: target.checked })}
        />
        Stream the response
      </label>
      <fieldset className="pg-setting-list" title="A variant stops when a run has spent one of them. Empty: no limit.">
        <legend>Budget of each variant</legend>
        <BudgetSetting label="Calls" name="maxCalls" budget={budget} onChange={onChange} />
        <BudgetSetting label="Cost in $" name="maxCost" budget={budget} onChange={onChange} />
      </fieldset>
      {source.type === 'dataset' && <DatasetSettings settings={settings} source={source} onChange={onChange} />}
    </div>
  );
}

interface DatasetSettingsProps extends Pick<RunSettingsPanelProps, 'settings' | 'onChange'> {
  readonly source: Extract<CaseSource, { readonly type: 'dataset' }>;
}

function DatasetSettings({ settings, source: { datasetId }, onChange }: DatasetSettingsProps) {
  const { data } = useQuery(playgroundDataset, datasetId === '' ? undefined : { id: datasetId });
  const dataset = data?.node.__typename === 'Dataset' ? data.node : undefined;
  const evaluators = dataset?.datasetEvaluators.edges.map(({ node }) => node) ?? [];
  const { variablesPath, messagesPath, concurrency, isRecorded, usesCache = false, evaluatorIds } = settings;
  return (
    <>
      <label className="pg-setting">
        <span>Variables</span>
        <select
          className="input"
          value={variablesPath}
          onChange={({ target }) => onChange({ variablesPath: target.value })}
        >
          <option value="input">input</option>
          <option value="reference">reference</option>
          <option value="metadata">metadata</option>
          <option value="">the whole example</option>
        </select>
      </label>
      <label className="pg-setting">
        <span>Append</span>
        <input
          className="input mono"
          placeholder="messages"
          title="Path in the input of an example to messages that follow those of the prompt"
          value={messagesPath}
          onChange={({ target }) => onChange({ messagesPath: target.value })}
        />
      </label>
      <NumberSetting
        label="At a time"
        value={concurrency}
        max={100}
        onChange={(next) => onChange({ concurrency: next })}
      />
      <label
        className="row"
        title="A recorded run is an experiment of the dataset. Another one is deleted after a day."
      >
        <input
          type="checkbox"
          checked={isRecorded}
          onChange={({ target }) => onChange({ isRecorded: target.checked })}
        />
        Record as an experiment
      </label>
      <label
        className="row"
        title="Requests that an earlier run over the dataset has made within seven days are not made again. Such runs cost nothing and are marked."
      >
        <input type="checkbox" checked={usesCache} onChange={({ target }) => onChange({ usesCache: target.checked })} />
        Reuse earlier responses
      </label>
      {evaluators.length > 0 && (
        <fieldset className="pg-setting-list">
          <legend>Evaluators</legend>
          {evaluators.map(({ id, name }) => (
            <label key={id} className="row">
              <input
                type="checkbox"
                checked={evaluatorIds.includes(id)}
                onChange={({ target }) =>
                  onChange({
                    evaluatorIds: target.checked ? [...evaluatorIds, id] : evaluatorIds.filter((each) => each !== id),
                  })
                }
              />
              <span className="clip" dir="auto">
                {name}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

interface NumberSettingProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

/** A whole number from 1. Another text is kept and marked, so that the user can type on; the setting keeps its last number. */
function NumberSetting({ label, value, max, onChange }: NumberSettingProps) {
  const [text, setText] = useState<string>();
  const shown = text ?? String(value);
  const isWrong = readNumber(shown, max) === undefined;
  return (
    <label className="pg-setting">
      <span>{label}</span>
      <span className="row">
        <input
          className="input pg-number"
          type="number"
          min={1}
          max={max}
          aria-invalid={isWrong}
          value={shown}
          onChange={({ target }) => {
            setText(target.value);
            const next = readNumber(target.value, max);
            if (next !== undefined) onChange(next);
          }}
          onBlur={() => setText(undefined)}
        />
        {isWrong && (
          <span className="error-text" role="alert">
            1 to {max}
          </span>
        )}
      </span>
    </label>
  );
}

function readNumber(text: string, max: number): number | undefined {
  const number = Number(text);
  return text.trim() !== '' && Number.isInteger(number) && number >= 1 && number <= max ? number : undefined;
}

interface BudgetSettingProps extends Pick<RunSettingsPanelProps, 'onChange'> {
  readonly label: string;
  readonly name: keyof RunBudget;
  readonly budget: RunBudget;
}

/** A maximum. The text is kept while it is no number, so that the user can type on. */
function BudgetSetting({ label, name, budget, onChange }: BudgetSettingProps) {
  const value = budget[name];
  const [text, setText] = useState(value === undefined ? '' : String(value));
  const isWrong = text.trim() !== '' && readMaximum(name, text) === undefined;
  return (
    <label className="pg-setting">
      <span>{label}</span>
      <input
        className="input pg-number"
        inputMode="decimal"
        placeholder="no limit"
        aria-invalid={isWrong}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          const { [name]: _, ...rest } = budget;
          const maximum = readMaximum(name, target.value);
          onChange({ budget: maximum === undefined ? rest : { ...rest, [name]: maximum } });
        }}
      />
    </label>
  );
}

/** Undefined for no limit, and for a text that is none. Calls are whole. */
function readMaximum(name: keyof RunBudget, text: string): number | undefined {
  const number = Number(text.trim().replace(',', '.'));
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0) return undefined;
  return name === 'maxCalls' && !(Number.isInteger(number) && number <= CALL_COUNT_MAX) ? undefined : number;
}

/** Highest number that the API takes. */
const CALL_COUNT_MAX = 2_147_483_647;
