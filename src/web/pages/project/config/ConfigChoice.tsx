import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { boundsText } from '../../../components/annotations/annotation-draft.ts';
import { attachConfig } from '../../../components/annotations/generated/annotations.ts';
import type { AnnotationConfig } from '../../../components/annotations/use-annotations.ts';
import { FailureLine } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { lazy } from '../../../components/lazy.tsx';
import { useLongList } from '../../../components/long-list.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useAllPages } from '../../../data/use-all-pages.ts';
import { useChange } from '../../../data/use-change.ts';
import { Link } from '../../../router/Link.tsx';
import type { ConfiguredProject } from './configured-project.ts';
import { type ConfigChoicesData, configChoices, detachConfig } from './generated/config.ts';

const NewConfig = lazy(async () => (await import('../../../components/annotations/NewConfig.tsx')).NewConfig);

interface ConfigChoiceProps {
  readonly project: ConfiguredProject;
  readonly onSaved: () => void;
}

const readChoices = ({ annotationConfigs }: ConfigChoicesData) => annotationConfigs;

/** Annotation configs that users can annotate with in this project. Each click is saved. */
export function ConfigChoice({ project, onSaved }: ConfigChoiceProps) {
  const change = useChange();
  const { may } = useAccess();
  const canChoose = may(attachConfig);
  const [isNew, setNew] = useState(false);
  const configs = useAllPages(configChoices, readChoices);
  const attached = new Set(project.annotationConfigs.edges.map(({ node }) => node.id));
  const { shown, search, rest } = useLongList(configs.items ?? [], 'configs', ({ name }) => name);
  const refetch = () => {
    configs.refetch();
    onSaved();
  };
  const toggle = ({ id, name }: AnnotationConfig) => {
    const isOn = attached.has(id);
    const pair = { projectId: project.id, annotationConfigId: id };
    void change.run(
      () => (isOn ? send(detachConfig, pair) : send(attachConfig, pair)),
      () => {
        toast(isOn ? `${name} was removed from this project.` : `${name} was added to this project.`);
        onSaved();
      },
    );
  };
  return (
    <section className="card" aria-label="Annotation configs">
      <header className="row">
        <h2 className="grow">Annotation configs</h2>
        <Link to="/settings/annotations">All configs</Link>
      </header>
      <p className="muted">
        {canChoose
          ? 'Select the configs that users can annotate with in this project.'
          : 'Members and administrators choose the configs of this project.'}
      </p>
      {configs.failure && <FailureLine failure={configs.failure} onRetry={configs.refetch} />}
      {search}
      <div className="project-configs">
        {shown.map((config) => (
          <label key={config.id}>
            <input
              type="checkbox"
              checked={attached.has(config.id)}
              disabled={change.isBusy || !canChoose}
              onChange={() => toggle(config)}
            />
            <strong className="clip">{config.name}</strong>
            <span className="muted clip">{describe(config)}</span>
          </label>
        ))}
        {rest}
      </div>
      <Problem text={change.problem} />
      {canChoose && (
        <div>
          <button type="button" className="button" onClick={() => setNew(true)}>
            <Icon name="plus" size={13} /> Create config
          </button>
        </div>
      )}
      {isNew && <NewConfig projectId={project.id} onClose={() => setNew(false)} onAdded={refetch} />}
    </section>
  );
}

function describe(config: AnnotationConfig): string {
  if (config.__typename === 'CategoricalAnnotationConfig') return config.values.map(({ label }) => label).join(', ');
  const bounds = boundsText(config.lowerBound, config.upperBound);
  if (config.__typename === 'ContinuousAnnotationConfig') return `score ${bounds}`.trim();
  return `free text ${bounds}`.trim();
}
