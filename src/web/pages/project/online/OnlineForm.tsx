import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { FilterField } from '../../../components/filter/FilterField.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { InputFields } from '../../evaluators/InputFields.tsx';
import { fieldsOf, type InputDraft, type InputField, inputsOf, toApiMapping } from '../../evaluators/input-draft.ts';
import { TextField } from '../../settings/fields.tsx';
import '../../evaluators/evaluators.css';
import {
  createOnlineEvaluator,
  type EvaluatorChoicesData,
  evaluatorChoices,
  patchOnlineEvaluator,
} from './generated/online.ts';
import type { OnlineEvaluator } from './online-text.ts';

interface OnlineFormProps {
  readonly projectId: string;
  /** The evaluator to change. Absent for a new one. */
  readonly evaluator?: OnlineEvaluator;
  readonly onClose: () => void;
  /** Called with the ID of a new evaluator. */
  readonly onAdded?: (id: string) => void;
}

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly InputField[];
  /** Whether its evaluations cost calls of a model, so that a budget can apply. */
  readonly callsModel: boolean;
  /** Mapping of its first use in a dataset. */
  readonly mapping: Mapping | undefined;
}

interface Mapping {
  readonly literalMapping: unknown;
  readonly pathMapping: unknown;
}

/** Adds an evaluator to a project, or changes it. */
export function OnlineForm({ projectId, evaluator, onClose, onAdded }: OnlineFormProps) {
  const { data } = useQuery(evaluatorChoices, {});
  const [chosenId, setChosenId] = useState(evaluator?.evaluator.id);
  if (!data) return null;
  const choices = toChoices(data);
  const base = choices.find(({ id }) => id === chosenId) ?? choices[0];
  if (!base) return null;
  return (
    <Form
      key={base.id}
      projectId={projectId}
      evaluator={evaluator}
      base={base}
      choices={choices}
      onChoose={setChosenId}
      onClose={onClose}
      onAdded={onAdded}
    />
  );
}

interface FormProps extends Omit<OnlineFormProps, 'evaluator' | 'onAdded'> {
  readonly evaluator: OnlineEvaluator | undefined;
  readonly onAdded: OnlineFormProps['onAdded'] | undefined;
  readonly base: Choice;
  readonly choices: readonly Choice[];
  readonly onChoose: (id: string) => void;
}

const TARGETS = [
  { id: 'SPAN', label: 'Spans' },
  { id: 'TRACE', label: 'Traces' },
  { id: 'SESSION', label: 'Sessions' },
] as const;

function Form({ projectId, evaluator, base, choices, onChoose, onClose, onAdded }: FormProps) {
  const [name, setName] = useState(evaluator?.name ?? base.name.replaceAll('_', '-'));
  const [target, setTarget] = useState<OnlineEvaluator['target']>(evaluator?.target ?? 'SPAN');
  const [filter, setFilter] = useState(evaluator?.filter ?? '');
  const [percent, setPercent] = useState(String((evaluator?.samplingRate ?? 1) * 100));
  const [quiet, setQuiet] = useState(String(evaluator?.quietSeconds ?? 30));
  const [calls, setCalls] = useState(evaluator?.dailyCallCountMax?.toString() ?? '');
  const [cost, setCost] = useState(evaluator?.dailyCostMax?.toString() ?? '');
  const fields = base.fields;
  const [draft, setDraft] = useState<InputDraft>(() => inputsOf(fields, evaluator?.inputMapping ?? base.mapping));
  const change = useChange();
  const submit = () => {
    const samplingRate = Number(percent) / 100;
    if (!(samplingRate > 0 && samplingRate <= 1)) {
      return change.say('The sample must be more than 0 and at most 100 percent.');
    }
    const input = {
      name: name.trim(),
      filter: filter.trim(),
      inputMapping: toApiMapping(fields, draft),
      samplingRate,
      quietSeconds: Number(quiet),
      dailyCallCountMax: !base.callsModel || calls.trim() === '' ? null : Number(calls),
      dailyCostMax: !base.callsModel || cost.trim() === '' ? null : Number(cost),
    };
    void change.run(
      async () => {
        if (evaluator) {
          await send(patchOnlineEvaluator, { input: { ...input, id: evaluator.id } });
          return;
        }
        const created = await send(createOnlineEvaluator, {
          input: { ...input, projectId, evaluatorId: base.id, target },
        });
        onAdded?.(created.createOnlineEvaluator.id);
      },
      () => {
        onClose();
        toast(`${name.trim()} saved.`);
      },
    );
  };
  return (
    <FormDialog
      title={evaluator ? `Edit ${evaluator.name}` : 'Add an online evaluator'}
      change={change}
      action={evaluator ? 'Save evaluator' : 'Add evaluator'}
      isReady={name.trim() !== ''}
      className="evaluator-form"
      onSubmit={submit}
      onClose={onClose}
    >
      {!evaluator && (
        <div className="online-pair">
          <label className="field">
            <span>Evaluator</span>
            <select className="input" value={base.id} onChange={({ target: { value } }) => onChoose(value)}>
              {choices.map(({ id, name: label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span>Scores</span>
            <select
              className="input"
              value={target}
              onChange={({ target: { value } }) => setTarget(value as OnlineEvaluator['target'])}
            >
              {TARGETS.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      {base.description && <p className="muted">{base.description}</p>}
      <TextField label="Name" value={name} onChange={setName} hint="Lowercase letters, digits, - and _" />
      <div className="field">
        <span>Filter of spans</span>
        <FilterField projectId={projectId} kind="span" value={filter} onApply={(condition) => setFilter(condition)} />
      </div>
      <InputFields fields={fields} draft={draft} onChange={setDraft} />
      <div className="online-pair">
        <TextField label="Sample, percent of traces" value={percent} onChange={setPercent} />
        {target !== 'SPAN' && (
          <TextField label="Seconds without new spans" value={quiet} onChange={setQuiet} hint="Then it is scored" />
        )}
      </div>
      {base.callsModel && (
        <div className="online-pair">
          <TextField label="Model calls a day" value={calls} onChange={setCalls} hint="Leave empty for no limit" />
          <TextField label="Dollars a day" value={cost} onChange={setCost} hint="Leave empty for no limit" />
        </div>
      )}
      {!base.callsModel && <p className="muted">This evaluator calls no model, so it needs no budget.</p>}
    </FormDialog>
  );
}

function toChoices({ evaluators, builtInEvaluators }: EvaluatorChoicesData): readonly Choice[] {
  const builtIn = builtInEvaluators.map(({ inputSchema, ...rest }): Choice => {
    return { ...rest, fields: fieldsOf(inputSchema), callsModel: false, mapping: undefined };
  });
  const known = new Set(builtIn.map(({ id }) => id));
  const own = evaluators.edges.flatMap(({ node }): Choice[] => {
    const { id, name, description, datasetEvaluators } = node;
    if (known.has(id)) return [];
    const mapping = datasetEvaluators[0]?.inputMapping;
    const callsModel = node.__typename === 'LLMEvaluator';
    return [{ id, name, description, fields: fieldsOfMapping(mapping), callsModel, mapping }];
  });
  return [...own, ...builtIn];
}

/** An evaluator that users wrote has the inputs that its use in a dataset maps. Fixed values keep their type. */
function fieldsOfMapping(mapping: Mapping | undefined): readonly InputField[] {
  const literals = (mapping?.literalMapping ?? {}) as Readonly<Record<string, unknown>>;
  const names = new Set([...Object.keys(mapping?.pathMapping ?? {}), ...Object.keys(literals)]);
  return [...names].map((name) => ({
    ...{ name, description: '', isRequired: false, isFlag: false, isOnAtFirst: false },
    isJson: Object.hasOwn(literals, name) && typeof literals[name] !== 'string',
  }));
}
