import { useRef, useState } from 'react';
import { Editor } from '../../../components/editor/Editor.tsx';
import { toast } from '../../../components/toasts.tsx';
import { Switch } from '../../../components/values/Card.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { setLeaveGuard } from '../../../router/leave-guard.ts';
import { navigate } from '../../../router/location.ts';
import { InputFields } from '../InputFields.tsx';
import { hasSources, type InputDraft, storedSources, toApiMapping } from '../input-draft.ts';
import {
  EDITOR_LANGUAGES,
  LANGUAGES,
  type Language,
  languageName,
  readCodeError,
  SAMPLE_LABELS,
  SAMPLES,
} from './code-samples.ts';
import { EvaluatorFrame, NameFields, Section } from './EvaluatorFrame.tsx';
import { bindingPath, evaluatorsPath, type StoredBinding } from './form-paths.ts';
import {
  bindCodeEvaluator,
  type CodeFormData,
  createCodeEvaluator,
  createCodeVersion,
  patchCodeEvaluator,
  updateCodeBinding,
} from './generated/forms.ts';
import { newOutput, OutputsField, toOutputDrafts, toOutputInputs } from './OutputsField.tsx';
import { SandboxField, useSandboxes } from './SandboxField.tsx';
import { useCodeInputs } from './use-code-inputs.ts';
import { useTest } from './use-test.ts';

export type StoredCode = Extract<CodeFormData['node'], { readonly __typename: 'CodeEvaluator' }>;

interface CodeFormProps {
  readonly datasetId: string;
  /** The evaluator to change, or to add to the dataset. Absent for a new one. */
  readonly code?: StoredCode | undefined;
  /** Its use in the dataset. Absent when the dataset does not have it yet. */
  readonly binding?: StoredBinding | undefined;
}

const KINDS = ['categorical', 'continuous', 'freeform'] as const;

/** Code evaluator of a dataset: source, inputs, outputs, sandbox, versions, and a test. */
export function CodeForm({ datasetId, code, binding }: CodeFormProps) {
  const [name, setName] = useState(binding?.name ?? code?.name ?? '');
  const [description, setDescription] = useState(binding?.description ?? code?.description ?? '');
  const [language, setLanguage] = useState<Language>(code?.language ?? 'PYTHON');
  const [source, setSource] = useState(code?.sourceCode ?? SAMPLES.PYTHON);
  const [sandboxId, setSandboxId] = useState(code?.sandboxConfig?.id);
  const [outputs, setOutputs] = useState(() =>
    code ? toOutputDrafts((binding ?? code).outputConfigs) : [newOutput({ name: 'match', labels: SAMPLE_LABELS })],
  );
  const [sources, setSources] = useState<InputDraft>(() =>
    code ? storedSources((binding ?? code).inputMapping) : new Map(),
  );
  const { fields, problem: signatureProblem } = useCodeInputs(language, source);
  const sandboxes = useSandboxes(language);
  const sandbox = sandboxes?.find(({ id }) => id === sandboxId) ?? sandboxes?.[0];
  const mapping = toApiMapping(fields, sources);
  const test = useTest(datasetId, mapping);
  const change = useChange();
  const [testedSource, setTestedSource] = useState<string>();
  /** Set when the evaluator was created and the dataset did not take it, so that the next attempt creates no second one. */
  const createdId = useRef<string>(undefined);
  const outputConfigs = toOutputInputs(outputs);
  const outputProblem = typeof outputConfigs === 'string' ? outputConfigs : undefined;
  const failed = testedSource === source ? test.results?.find(({ error }) => error !== null) : undefined;
  const runError = failed?.error ? readCodeError(failed.error) : undefined;
  const editorProblem =
    signatureProblem !== undefined
      ? { message: signatureProblem }
      : runError?.line === undefined
        ? undefined
        : runError;
  const otherUses = (code?.datasetEvaluators.length ?? 0) - (binding ? 1 : 0);

  const save = async (): Promise<string> => {
    if (typeof outputConfigs === 'string' || !sandbox) throw new Error('The form is not ready');
    const names = { name: name.trim(), description: description.trim() || null };
    const content = { sandboxConfigId: sandbox.id, outputConfigs };
    const storedId = code?.id ?? createdId.current;
    if (storedId === undefined) {
      const input = { ...names, ...content, language, sourceCode: source, inputMapping: mapping };
      createdId.current = (await send(createCodeEvaluator, { input })).createCodeEvaluator.evaluator.id;
    } else {
      await send(createCodeVersion, { input: { codeEvaluatorId: storedId, sourceCode: source } });
      await send(patchCodeEvaluator, { input: { id: storedId, ...content } });
    }
    if (binding) {
      // The outputs are those of the evaluator, as everywhere else.
      const input = { ...names, datasetEvaluatorId: binding.id, inputMapping: mapping, outputConfigs: null };
      await send(updateCodeBinding, { input });
      return binding.id;
    }
    const evaluatorId = storedId ?? createdId.current!;
    const input = { ...names, datasetId, evaluatorId, inputMapping: mapping };
    return (await send(bindCodeEvaluator, { input })).createDatasetCodeEvaluator.evaluator.id;
  };
  const submit = () => {
    let id = '';
    void change.run(
      async () => {
        id = await save();
      },
      () => {
        toast(`${name.trim()} saved.`);
        setLeaveGuard(undefined);
        navigate(bindingPath(datasetId, id));
      },
    );
  };
  const onTest =
    typeof outputConfigs === 'string' || signatureProblem !== undefined || sandbox?.problem !== undefined
      ? undefined
      : () => {
          const inline = { name: name.trim() || 'test', language, sourceCode: source, outputConfigs };
          setTestedSource(source);
          test.run({ inlineCodeEvaluator: { ...inline, sandboxConfigId: sandbox?.id ?? null } }, undefined);
        };
  return (
    <EvaluatorFrame
      test={test}
      onTest={onTest}
      change={change}
      action={binding ? 'Save evaluator' : 'Add evaluator'}
      isReady={
        name.trim() !== '' &&
        sandbox !== undefined &&
        signatureProblem === undefined &&
        outputProblem === undefined &&
        hasSources(fields, sources)
      }
      onSubmit={submit}
      backTo={binding ? bindingPath(datasetId, binding.id) : evaluatorsPath(datasetId)}
    >
      {otherUses > 0 && (
        <p className="evaluator-note">
          {formatCount(otherUses)} other {otherUses === 1 ? 'dataset uses' : 'datasets use'} this evaluator. Changes of
          its source, outputs and sandbox apply there, too.
        </p>
      )}
      <NameFields name={name} description={description} onName={setName} onDescription={setDescription} />
      <Section
        title="Source"
        actions={
          code ? (
            <span className="muted">{languageName(language)}</span>
          ) : (
            <Switch
              label="Language"
              values={LANGUAGES}
              value={language}
              onChange={(next) => {
                if (source === SAMPLES[language] || source.trim() === '') setSource(SAMPLES[next]);
                setLanguage(next);
              }}
            />
          )
        }
      >
        <Editor
          label="Source"
          language={EDITOR_LANGUAGES[language]}
          value={source}
          problem={editorProblem}
          onChange={setSource}
        />
        <p className="muted">
          The parameters of <code>evaluate</code> are its inputs. It returns a label, a score, or an object with{' '}
          <code>label</code>, <code>score</code> and <code>explanation</code>.
        </p>
        {code && <Versions code={code} source={source} onChoose={setSource} />}
      </Section>
      <InputFields fields={fields} draft={sources} paths={test.paths} onChange={setSources} />
      <Section title="Outputs">
        {outputs.length === 0 && <p className="muted">Results are stored as the code returns them.</p>}
        <OutputsField outputs={outputs} kinds={KINDS} countMin={0} onChange={setOutputs} />
        {outputProblem !== undefined && <p className="error-text">{outputProblem}</p>}
      </Section>
      <Section title="Sandbox">
        <SandboxField sandboxes={sandboxes} chosen={sandbox} onChange={setSandboxId} />
      </Section>
    </EvaluatorFrame>
  );
}

interface VersionsProps {
  readonly code: StoredCode;
  readonly source: string;
  readonly onChoose: (source: string) => void;
}

/** Versions of the source, of which the user can take one back. Saving it adds a version. */
function Versions({ code, source, onChoose }: VersionsProps) {
  const times = useTimeFormat();
  const versions = code.versions.edges.map(({ node }) => node);
  const shown = versions.find(({ sourceCode }) => sourceCode === source);
  return (
    <label className="row evaluator-versions">
      <span>Version</span>
      <select
        className="input"
        value={shown?.id ?? ''}
        onChange={({ target }) => onChoose(versions.find(({ id }) => id === target.value)?.sourceCode ?? source)}
      >
        {!shown && <option value="">Not saved</option>}
        {versions.map(({ id, sequenceNumber, createdAt, user }) => (
          <option key={id} value={id}>
            {formatCount(sequenceNumber)}, {times.short(createdAt)}
            {user ? `, ${user.username}` : ''}
          </option>
        ))}
      </select>
      <span className="muted">Saving a changed source adds a version.</span>
    </label>
  );
}
