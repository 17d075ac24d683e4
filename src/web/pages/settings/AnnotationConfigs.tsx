import { useState } from 'react';
import { formatScore } from '../../components/annotations/format-score.ts';
import { boundsText } from '../../components/annotations/judgement.ts';
import { tell } from '../../components/toasts.tsx';
import { Switch } from '../../components/values/Card.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { useQuery } from '../../data/use-query.ts';
import {
  assignConfig,
  type CreateConfigVariables,
  createConfig,
  deleteConfig,
  type SettingsConfigsData,
  settingsConfigs,
  unassignConfig,
  updateConfig,
} from './generated/settings.ts';
import { ProjectsField, SettingsForm, TextField, toNumber } from './SettingsForm.tsx';
import { RowActions, SettingsList } from './SettingsList.tsx';

type AnyConfig = SettingsConfigsData['annotationConfigs']['edges'][number]['node'];
type Config = Exclude<AnyConfig, { readonly __typename: 'another' }>;
type Project = SettingsConfigsData['projects']['edges'][number]['node'];
type Direction = Config['optimizationDirection'];
type Input = CreateConfigVariables['input']['annotationConfig'];

const KINDS = {
  CategoricalAnnotationConfig: 'categorical',
  ContinuousAnnotationConfig: 'continuous',
  FreeformAnnotationConfig: 'freeform',
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

/** Ways to judge, and in which projects people are offered them. */
export function AnnotationConfigs() {
  const query = useQuery(settingsConfigs, {});
  const [edited, setEdited] = useState<Config | 'new'>();
  const configs = (query.data?.annotationConfigs.edges ?? []).flatMap(({ node }) =>
    node.__typename === 'another' ? [] : [node],
  );
  const projects = (query.data?.projects.edges ?? []).map(({ node }) => node);
  return (
    <SettingsList
      title="Annotation configs"
      about="What people judge by: labels, a score, or free text. Each is offered in the projects that it is for."
      newLabel="New config"
      onNew={() => setEdited('new')}
      query={query}
    >
      <ul className="card settings-rows" aria-label="Annotation configs">
        {configs.map((config) => (
          <li key={config.id} className="config-row">
            <span className="settings-name">
              <strong className="clip">{config.name}</strong>
              <span className="muted clip">{config.description}</span>
            </span>
            <span className="muted">{KINDS[config.__typename]}</span>
            <span className="clip">{describe(config)}</span>
            <span className="muted clip">{projectNames(config, projects)}</span>
            <RowActions
              name={config.name}
              onEdit={() => setEdited(config)}
              onDelete={() => send(deleteConfig, { id: config.id })}
              consequence="It is offered no more. Annotations that were made with it stay."
              onDeleted={query.refetch}
            />
          </li>
        ))}
        {configs.length === 0 && <li className="muted">There are none yet. With one, people judge by number keys.</li>}
      </ul>
      {edited && (
        <ConfigForm
          config={edited === 'new' ? undefined : edited}
          projects={projects}
          onClose={() => setEdited(undefined)}
          onSaved={query.refetch}
        />
      )}
    </SettingsList>
  );
}

function describe(config: Config): string {
  if (config.__typename !== 'CategoricalAnnotationConfig') return boundsText(config.lowerBound, config.upperBound);
  return config.values
    .map(({ label, score }) => (score === null ? label : `${label} ${formatScore(score)}`))
    .join(', ');
}

const isOf = (project: Project, id: string): boolean =>
  project.annotationConfigs.edges.some(({ node }) => node.__typename !== 'another' && node.id === id);

function projectNames({ id }: Config, projects: readonly Project[]): string {
  const names = projects.filter((project) => isOf(project, id)).map(({ name }) => name);
  return names.length > 2 ? `${names.length} projects` : names.join(', ') || 'no project';
}

interface ConfigFormProps {
  readonly config: Config | undefined;
  readonly projects: readonly Project[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

const text = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value));

function ConfigForm({ config, projects, onClose, onSaved }: ConfigFormProps) {
  const bounds = config && config.__typename !== 'CategoricalAnnotationConfig' ? config : undefined;
  const [kind, setKind] = useState<Kind>(config ? KINDS[config.__typename] : 'categorical');
  const [name, setName] = useState(config?.name ?? '');
  const [description, setDescription] = useState(config?.description ?? '');
  const [direction, setDirection] = useState<Direction>(config?.optimizationDirection ?? 'MAXIMIZE');
  const [labels, setLabels] = useState(
    config?.__typename === 'CategoricalAnnotationConfig'
      ? config.values.map(({ label, score }) => `${label}${score === null ? '' : ` = ${score}`}`).join('\n')
      : '',
  );
  const [low, setLow] = useState(text(bounds?.lowerBound));
  const [high, setHigh] = useState(text(bounds?.upperBound));
  const before = new Set(config ? projects.filter((each) => isOf(each, config.id)).map(({ id }) => id) : []);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(before);
  const change = useChange();
  const submit = () => {
    const given = { name: name.trim(), description: description.trim() || null, optimizationDirection: direction };
    if (given.name === '') return change.say('Give it a name.');
    const lowerBound = toNumber(low);
    const upperBound = toNumber(high);
    if (Number.isNaN(lowerBound) || Number.isNaN(upperBound)) return change.say('Bounds are numbers.');
    const values = readLabels(labels);
    if (kind === 'categorical' && values.length === 0) return change.say('Give at least one label.');
    const threshold = config?.__typename === 'FreeformAnnotationConfig' ? config.threshold : null;
    const annotationConfig: Input =
      kind === 'categorical'
        ? ({ categorical: { ...given, values } } as Input)
        : kind === 'continuous'
          ? ({ continuous: { ...given, lowerBound, upperBound } } as Input)
          : ({ freeform: { ...given, threshold, lowerBound, upperBound } } as Input);
    void change.run(
      async () => {
        const made = config
          ? (await send(updateConfig, { input: { id: config.id, annotationConfig } })).updateAnnotationConfig
          : (await send(createConfig, { input: { annotationConfig } })).createAnnotationConfig;
        if (made.annotationConfig.__typename === 'another') return;
        const annotationConfigId = made.annotationConfig.id;
        const pairs = (ids: readonly string[]) => ids.map((projectId) => ({ projectId, annotationConfigId }));
        const added = [...chosen].filter((id) => !before.has(id));
        const removed = [...before].filter((id) => !chosen.has(id));
        if (added.length > 0) await send(assignConfig, { input: pairs(added) });
        if (removed.length > 0) await send(unassignConfig, { input: pairs(removed) });
      },
      () => {
        tell(`${given.name} saved.`);
        onSaved();
        onClose();
      },
    );
  };
  return (
    <SettingsForm
      title={config ? `Edit ${config.name}` : 'New annotation config'}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} placeholder="correctness" />
      <TextField label="Description" value={description} onChange={setDescription} />
      <Switch label="Kind" values={KIND_LABELS} value={kind} onChange={setKind} />
      {kind === 'categorical' ? (
        <label className="field">
          <span>Labels</span>
          <textarea
            className="input mono"
            rows={4}
            placeholder={'correct = 1\nwrong = 0'}
            value={labels}
            onChange={(event) => setLabels(event.target.value)}
          />
          <span className="muted">One on each line, with its score after = where it has one</span>
        </label>
      ) : (
        <div className="settings-grid">
          <TextField label="Lowest score" value={low} onChange={setLow} />
          <TextField label="Highest score" value={high} onChange={setHigh} />
        </div>
      )}
      <label className="field">
        <span>Better is</span>
        <select className="input" value={direction} onChange={(event) => setDirection(event.target.value as Direction)}>
          <option value="MAXIMIZE">a higher score</option>
          <option value="MINIMIZE">a lower score</option>
          <option value="NONE">neither</option>
        </select>
      </label>
      <ProjectsField projects={projects} chosen={chosen} onChange={setChosen} />
    </SettingsForm>
  );
}

const KIND_LABELS = [
  ['categorical', 'Labels'],
  ['continuous', 'Score'],
  ['freeform', 'Free text'],
] as const;

/** `label = score` on each line; a text after = that is no number belongs to the label. */
function readLabels(lines: string): readonly { readonly label: string; readonly score: number | null }[] {
  return lines.split('\n').flatMap((line) => {
    const match = /^(.*\S)\s*=\s*(-?\d+(?:\.\d+)?)\s*$/.exec(line);
    const label = (match?.[1] ?? line).trim();
    return label === '' ? [] : [{ label, score: match ? Number(match[2]) : null }];
  });
}
