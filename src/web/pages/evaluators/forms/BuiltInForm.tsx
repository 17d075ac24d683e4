import { useState } from 'react';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { setLeaveGuard } from '../../../router/leave-guard.ts';
import { navigate, setSearch, useLocation } from '../../../router/location.ts';
import { InputFields } from '../InputFields.tsx';
import { fieldsOf, hasSources, type InputDraft, inputsOf, toApiMapping } from '../input-draft.ts';
import { EvaluatorFrame, NameFields, Section } from './EvaluatorFrame.tsx';
import { bindingPath, evaluatorsPath, type StoredBinding } from './form-paths.ts';
import {
  type BuiltInFormsData,
  builtInForms,
  createBuiltInEvaluator,
  updateBuiltInEvaluator,
} from './generated/forms.ts';
import { OutputsField, toOutputDrafts, toOutputInputs } from './OutputsField.tsx';
import { useTest } from './use-test.ts';

type BuiltIn = BuiltInFormsData['builtInEvaluators'][number];

interface BuiltInFormProps {
  readonly datasetId: string;
  /** The evaluator to change. Absent for a new one. */
  readonly stored?: { readonly binding: StoredBinding; readonly evaluator: BuiltIn } | undefined;
}

const NOTHING = {};

/** Built-in evaluator of a dataset: inputs, labels, and a test. */
export function BuiltInForm({ datasetId, stored }: BuiltInFormProps) {
  const { search } = useLocation();
  const { data } = useQuery(builtInForms, stored ? undefined : NOTHING);
  const all = data?.builtInEvaluators ?? [];
  const base = stored?.evaluator ?? all.find(({ name }) => name === search.get('evaluator')) ?? all[0];
  if (!base) return <div className="page-body" aria-busy="true" />;
  return <Form key={base.id} datasetId={datasetId} stored={stored} base={base} all={all} />;
}

interface FormProps extends BuiltInFormProps {
  readonly base: BuiltIn;
  /** The built-in evaluators that the user can choose. */
  readonly all: readonly BuiltIn[];
}

function Form({ datasetId, stored, base, all }: FormProps) {
  const [name, setName] = useState(stored?.binding.name ?? base.name);
  const [description, setDescription] = useState(stored?.binding.description ?? '');
  const [outputs, setOutputs] = useState(() => toOutputDrafts((stored?.binding ?? base).outputConfigs));
  const fields = fieldsOf(base.inputSchema);
  const [sources, setSources] = useState<InputDraft>(() => inputsOf(fields, stored?.binding.inputMapping));
  const mapping = toApiMapping(fields, sources);
  const test = useTest(datasetId, mapping);
  const change = useChange();
  const outputConfigs = toOutputInputs(outputs);
  const problem = typeof outputConfigs === 'string' ? outputConfigs : undefined;
  const submit = () => {
    if (typeof outputConfigs === 'string') return;
    const input = { name: name.trim(), description: description.trim() || null, inputMapping: mapping, outputConfigs };
    let id = stored?.binding.id;
    void change.run(
      async () => {
        if (stored) await send(updateBuiltInEvaluator, { input: { ...input, datasetEvaluatorId: stored.binding.id } });
        else {
          const created = await send(createBuiltInEvaluator, { input: { ...input, datasetId, evaluatorId: base.id } });
          id = created.createDatasetBuiltinEvaluator.evaluator.id;
        }
      },
      () => {
        toast(`${name.trim()} saved.`);
        setLeaveGuard(undefined);
        navigate(bindingPath(datasetId, id!));
      },
    );
  };
  return (
    <EvaluatorFrame
      test={test}
      onTest={hasSources(fields, sources) ? () => test.run({ builtInEvaluatorId: base.id }, undefined) : undefined}
      change={change}
      action={stored ? 'Save evaluator' : 'Add evaluator'}
      isReady={name.trim() !== '' && problem === undefined && hasSources(fields, sources)}
      onSubmit={submit}
      backTo={stored ? bindingPath(datasetId, stored.binding.id) : evaluatorsPath(datasetId)}
    >
      {!stored && (
        <label className="field evaluator-start">
          <span>Evaluator</span>
          <select
            className="input"
            value={base.name}
            onChange={({ target }) => setSearch({ evaluator: target.value }, { replaces: true })}
          >
            {all.map((each) => (
              <option key={each.id} value={each.name}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {base.description && <p className="muted">{base.description}.</p>}
      <NameFields name={name} description={description} onName={setName} onDescription={setDescription} />
      <InputFields fields={fields} draft={sources} paths={test.paths} onChange={setSources} />
      <Section title="Outputs">
        <OutputsField
          outputs={outputs}
          kinds={outputs[0] ? [outputs[0].kind] : ['categorical']}
          countMin={1}
          isList={false}
          onChange={setOutputs}
        />
        {outputs[0]?.kind === 'categorical' && <p className="muted">A match gets the first label.</p>}
        {problem !== undefined && <p className="error-text">{problem}</p>}
      </Section>
    </EvaluatorFrame>
  );
}
