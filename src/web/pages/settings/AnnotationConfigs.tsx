import { useMemo, useRef, useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { boundsText } from '../../components/annotations/annotation-draft.ts';
import { ConfigFields } from '../../components/annotations/ConfigFields.tsx';
import { NEW_CONFIG, toConfigDraft, toConfigInput } from '../../components/annotations/config-draft.ts';
import { formatScore } from '../../components/annotations/format-score.ts';
import { saveConfig } from '../../components/annotations/save-config.ts';
import type { AnnotationConfig } from '../../components/annotations/use-annotations.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useAllPages } from '../../data/use-all-pages.ts';
import { useChange } from '../../data/use-change.ts';
import { ProjectsField, projectNames, useChoice } from './fields.tsx';
import {
  assignConfig,
  deleteConfig,
  type SettingsConfigProjectsData,
  type SettingsConfigsData,
  settingsConfigProjects,
  settingsConfigs,
  unassignConfig,
} from './generated/settings.ts';
import { RowActions, SettingsList } from './SettingsList.tsx';

type Project = SettingsConfigProjectsData['projects']['edges'][number]['node'];

const KINDS = {
  CategoricalAnnotationConfig: 'categorical',
  ContinuousAnnotationConfig: 'continuous',
  FreeformAnnotationConfig: 'freeform',
} as const;

const readConfigs = ({ annotationConfigs }: SettingsConfigsData) => annotationConfigs;
const readProjects = ({ projects }: SettingsConfigProjectsData) => projects;

/** Annotation configs and the projects that use them. */
export function AnnotationConfigs() {
  const list = useAllPages(settingsConfigs, readConfigs);
  const ofProjects = useAllPages(settingsConfigProjects, readProjects);
  const [edited, setEdited] = useState<AnnotationConfig | 'new'>();
  const { may } = useAccess();
  const canEdit = may(assignConfig);
  const projects = ofProjects.items ?? [];
  const names = useMemo(() => namesByConfig(ofProjects.items ?? []), [ofProjects.items]);
  const refetch = () => {
    list.refetch();
    ofProjects.refetch();
  };
  return (
    <SettingsList
      title="Annotation configs"
      about="Labels, scores or free text with which users annotate. Each config is available in the projects that you choose."
      newLabel="Create config"
      onNew={canEdit ? () => setEdited('new') : undefined}
      list={list}
      noun="configs"
      textOf={({ name, description }) => `${name} ${description ?? ''}`}
      empty="No annotation configs yet. Create one to annotate spans, traces and sessions."
      row={(config) => (
        <li key={config.id} className="config-row">
          <span className="settings-name">
            <strong className="clip">{config.name}</strong>
            <span className="muted clip">{config.description}</span>
          </span>
          <span className="muted">{KINDS[config.__typename]}</span>
          <span className="clip">{describe(config)}</span>
          <span className="muted clip">
            {ofProjects.failure ? '--' : ofProjects.items && projectNames(names.get(config.id))}
          </span>
          <RowActions
            name={config.name}
            onEdit={canEdit ? () => setEdited(config) : undefined}
            onDelete={may(deleteConfig) ? () => send(deleteConfig, { id: config.id }) : undefined}
            consequence="Users can no longer annotate with it. Existing annotations stay."
            onDeleted={refetch}
          />
        </li>
      )}
    >
      {edited && (
        <ConfigForm
          config={edited === 'new' ? undefined : edited}
          projects={projects}
          onClose={() => setEdited(undefined)}
          onSaved={refetch}
        />
      )}
    </SettingsList>
  );
}

function describe(config: AnnotationConfig): string {
  if (config.__typename !== 'CategoricalAnnotationConfig') return boundsText(config.lowerBound, config.upperBound);
  return config.values
    .map(({ label, score }) => (score === null ? label : `${label} ${formatScore(score)}`))
    .join(', ');
}

const isOf = (project: Project, id: string): boolean =>
  project.annotationConfigs.edges.some(({ node }) => node.id === id);

function namesByConfig(projects: readonly Project[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { name, annotationConfigs } of projects) {
    for (const { node } of annotationConfigs.edges) found.set(node.id, [...(found.get(node.id) ?? []), name]);
  }
  return found;
}

interface ConfigFormProps {
  readonly config: AnnotationConfig | undefined;
  readonly projects: readonly Project[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function ConfigForm({ config, projects, onClose, onSaved }: ConfigFormProps) {
  const [draft, setDraft] = useState(() => (config ? toConfigDraft(config) : NEW_CONFIG));
  const before = new Set(config ? projects.filter((each) => isOf(each, config.id)).map(({ id }) => id) : []);
  const choice = useChoice(before);
  const saved = useRef(config?.id);
  const change = useChange();
  const submit = () => {
    const annotationConfig = toConfigInput(draft);
    if (typeof annotationConfig === 'string') return change.say(annotationConfig);
    void change.run(
      async () => {
        const annotationConfigId = await saveConfig(saved.current, annotationConfig);
        saved.current = annotationConfigId;
        const pairs = (ids: readonly string[]) => ids.map((projectId) => ({ projectId, annotationConfigId }));
        const { added, removed } = choice;
        if (added.length > 0) await send(assignConfig, { input: pairs(added) });
        if (removed.length > 0) await send(unassignConfig, { input: pairs(removed) });
      },
      () => {
        toast(`${draft.name.trim()} saved.`);
        onSaved();
        onClose();
      },
    );
  };
  return (
    <FormDialog
      className="settings-form"
      title={config ? `Edit ${config.name}` : 'New annotation config'}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <ConfigFields draft={draft} onChange={setDraft} />
      <ProjectsField projects={projects} choice={choice} />
    </FormDialog>
  );
}
