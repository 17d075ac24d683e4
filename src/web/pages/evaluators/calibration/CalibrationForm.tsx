import { useDeferredValue, useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { InputField, SelectField } from '../../../components/fields.tsx';
import { toast } from '../../../components/toasts.tsx';
import { Switch } from '../../../components/values/Card.tsx';
import { send } from '../../../data/request.ts';
import { useAllPages } from '../../../data/use-all-pages.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { shownName } from '../../../format/names.ts';
import { formatCount } from '../../../format/numbers.ts';
import { InputFields } from '../InputFields.tsx';
import { CONTEXT_NAMES, type InputDraft, storedSources, toApiMapping } from '../input-draft.ts';
import type { Credentials } from './CalibrationReport.tsx';
import {
  type CalibrationProjectsData,
  calibrationLabels,
  calibrationProjects,
  type StartCalibrationVariables,
  startCalibration,
} from './generated/calibration.ts';
import { fieldsOfJudge, type Judge, outputNames } from './judge-data.ts';

type Source = StartCalibrationVariables['input']['source'];
type SourceKind = 'RUN' | 'SPAN' | 'TRACE' | 'SESSION';

interface CalibrationFormProps {
  readonly judge: Judge;
  readonly credentials: Credentials;
  readonly onStarted: (id: string) => void;
  readonly onClose: () => void;
}

const KINDS = [
  ['RUN', 'Runs'],
  ['SPAN', 'Spans'],
  ['TRACE', 'Traces'],
  ['SESSION', 'Sessions'],
] as const satisfies readonly (readonly [SourceKind, string])[];

const readProjects = ({ projects }: CalibrationProjectsData) => projects;

const OF_PROJECT = ['input', 'output', 'metadata'];

/** Values that each kind of target has. */
const PATHS: Readonly<Record<SourceKind, readonly string[]>> = {
  RUN: CONTEXT_NAMES,
  SPAN: [...OF_PROJECT, 'metadata.attributes', 'metadata.span'],
  TRACE: [...OF_PROJECT, 'metadata.messages', 'metadata.spans', 'metadata.trace'],
  SESSION: [...OF_PROJECT, 'metadata.conversation', 'metadata.user_message', 'metadata.session'],
};

/** Starts a calibration: labels of people, part that is held out, version of the prompt, and inputs. */
export function CalibrationForm({ judge, credentials, onStarted, onClose }: CalibrationFormProps) {
  const outputs = outputNames(judge);
  const [kind, setKind] = useState<SourceKind>('RUN');
  const [projectId, setProjectId] = useState('');
  const [outputName, setOutputName] = useState(outputs[0] ?? '');
  const [annotationName, setAnnotationName] = useState(outputs[0] ?? '');
  const [heldOut, setHeldOut] = useState('20');
  const [concurrency, setConcurrency] = useState('5');
  const [targetsMax, setTargetsMax] = useState('');
  const versions =
    judge.evaluator.__typename === 'LLMEvaluator'
      ? judge.evaluator.prompt.promptVersions.edges.map(({ node }) => node)
      : [];
  const usedId = judge.evaluator.__typename === 'LLMEvaluator' ? judge.evaluator.promptVersion.id : undefined;
  const [versionId, setVersionId] = useState(usedId);
  const fields = fieldsOfJudge(judge);
  const [sources, setSources] = useState<InputDraft>(() => storedSources(judge.inputMapping));
  const projects = useAllPages(calibrationProjects, readProjects).items ?? [];
  const chosenProject = projectId === '' ? projects[0]?.id : projectId;
  const source: Source | undefined =
    kind === 'RUN'
      ? { datasetId: judge.dataset.id }
      : chosenProject === undefined
        ? undefined
        : { project: { projectId: chosenProject, target: kind } };
  const share = Number(heldOut) / 100;
  const isShare = heldOut.trim() !== '' && share >= 0 && share < 1;
  const name = useDeferredValue(annotationName.trim());
  const { data, failure } = useQuery(
    calibrationLabels,
    source && name !== '' && isShare ? { source, annotationName: name, heldOutShare: share } : undefined,
  );
  const found = failure ? undefined : data?.calibrationLabels;
  const change = useChange();
  const submit = () => {
    if (!source) return;
    const input: StartCalibrationVariables['input'] = {
      ...{ datasetEvaluatorId: judge.id, source, annotationName: annotationName.trim(), outputName },
      ...{ heldOutShare: share, concurrency: Number(concurrency) },
      inputMapping: toApiMapping(fields, sources),
      ...(versionId !== undefined && { promptVersionId: versionId }),
      ...(targetsMax.trim() !== '' && { maxTargets: Number(targetsMax) }),
      ...(credentials && { credentials }),
    };
    let id = '';
    void change.run(
      async () => {
        id = (await send(startCalibration, { input })).startCalibration.calibration.id;
      },
      () => {
        toast('Calibration started.');
        onStarted(id);
      },
    );
  };
  return (
    <FormDialog
      title={`Calibrate ${judge.name}`}
      change={change}
      action="Start calibration"
      isReady={source !== undefined && isShare && annotationName.trim() !== '' && (found?.targetCount ?? 0) > 0}
      className="calibration-form"
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="row calibration-source">
        <span>People have labelled</span>
        <Switch label="Labelled targets" values={KINDS} value={kind} onChange={setKind} />
        <span className="muted clip" dir="auto">
          {kind === 'RUN' ? `of the experiments of ${shownName(judge.dataset.name)}` : 'of the project'}
        </span>
        {kind !== 'RUN' && (
          <select
            className="input"
            aria-label="Project"
            value={chosenProject ?? ''}
            onChange={({ target }) => setProjectId(target.value)}
          >
            {projects.map(({ id, name: project }) => (
              <option key={id} value={id}>
                {shownName(project)}
              </option>
            ))}
          </select>
        )}
      </div>
      <div className="calibration-pair">
        <InputField label="Name of their annotations" required value={annotationName} onChange={setAnnotationName} />
        {outputs.length > 1 && (
          <SelectField label="Compared output" value={outputName} onChange={setOutputName}>
            {outputs.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </SelectField>
        )}
        {versions.length > 0 && (
          <SelectField label="Version of the prompt" value={versionId} onChange={setVersionId}>
            {versions.map(({ id, sequenceNumber, modelName }) => (
              <option key={id} value={id}>
                {formatCount(sequenceNumber)}, {modelName}
                {id === usedId ? ' (in use)' : ''}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <Labels found={found} problem={failure?.message} name={name} kind={kind} />
      <div className="calibration-pair">
        <NumberField label="Held out, percent" value={heldOut} min={0} max={99} onChange={setHeldOut} />
        <NumberField label="Evaluations at a time" value={concurrency} min={1} max={20} onChange={setConcurrency} />
        <NumberField
          label="Targets at most"
          value={targetsMax}
          min={1}
          max={5_000}
          placeholder="5,000"
          onChange={setTargetsMax}
        />
      </div>
      {fields.length > 0 && (
        <details open={kind !== 'RUN'}>
          <summary>Inputs</summary>
          <InputFields fields={fields} draft={sources} paths={PATHS[kind]} onChange={setSources} />
        </details>
      )}
    </FormDialog>
  );
}

interface LabelsProps {
  readonly found:
    | {
        readonly targetCount: number;
        readonly heldOutCount: number;
        readonly scoreCount: number;
        readonly labels: readonly { readonly label: string; readonly count: number }[];
      }
    | undefined;
  readonly problem: string | undefined;
  readonly name: string;
  readonly kind: SourceKind;
}

const WHERE: Readonly<Record<SourceKind, string>> = {
  RUN: 'Annotate runs in the comparison of experiments',
  SPAN: 'Annotate spans in their traces',
  TRACE: 'Annotate traces',
  SESSION: 'Annotate sessions',
};

/** What people have labelled, before the calibration starts. */
function Labels({ found, problem, name, kind }: LabelsProps) {
  if (problem !== undefined) return <p className="error-text">{problem}</p>;
  if (!found) return <p className="muted">Counting labels…</p>;
  const { targetCount, heldOutCount, scoreCount, labels } = found;
  if (targetCount === 0) {
    return (
      <p className="calibration-labels">
        People have not labelled any as {name}. {WHERE[kind]} with that name first.
      </p>
    );
  }
  return (
    <p className="calibration-labels" role="status">
      {formatCount(targetCount)} labelled, {formatCount(heldOutCount)} of them held out:{' '}
      {labels.map(({ label, count }) => `${label} ${formatCount(count)}`).join(', ')}
      {scoreCount > 0 && `${labels.length > 0 ? '; ' : ''}${formatCount(scoreCount)} with a score`}
    </p>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: string;
  readonly min: number;
  readonly max: number;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

const NumberField = ({ label, value, min, max, placeholder, onChange }: NumberFieldProps) => (
  <InputField
    label={label}
    type="number"
    min={min}
    max={max}
    placeholder={placeholder}
    value={value}
    onChange={onChange}
  />
);
