import { useState } from 'react';
import { send } from '../../data/request.ts';
import { toFailure, useQuery } from '../../data/use-query.ts';
import { Icon } from '../Icon.tsx';
import { later } from '../later.tsx';
import { Menu, MenuItem, MenuLine } from '../Menu.tsx';
import { tell, tellFailure } from '../toasts.tsx';
import { allConfigs, attachConfig } from './generated/annotations.ts';
import type { AnnotationConfig } from './use-annotations.ts';

const NewConfig = later(async () => (await import('./NewConfig.tsx')).NewConfig);

interface AddConfigProps {
  readonly projectId: string;
  /** Configs of the project. */
  readonly configs: readonly AnnotationConfig[];
  /** Called with the ID of the config that the project now uses. */
  readonly onAdded: (configId: string) => void;
}

/** Menu that adds an existing annotation config or a new one to the project. */
export function AddConfig({ projectId, configs, onAdded }: AddConfigProps) {
  const [isNew, setNew] = useState(false);
  return (
    <div className="row">
      {configs.length === 0 && <span className="muted">This project has no annotation configs yet.</span>}
      <Menu
        button={
          <button type="button" className="button small">
            <Icon name="plus" size={12} /> {configs.length === 0 ? 'Add annotation config' : 'Add another config'}
          </button>
        }
      >
        <OfOtherProjects projectId={projectId} configs={configs} onAdded={onAdded} />
        <MenuItem onSelect={() => setNew(true)}>Create config…</MenuItem>
      </Menu>
      {isNew && <NewConfig projectId={projectId} onClose={() => setNew(false)} onAdded={onAdded} />}
    </div>
  );
}

function OfOtherProjects({ projectId, configs, onAdded }: AddConfigProps) {
  const { data } = useQuery(allConfigs, NOTHING);
  const known = new Set(configs.map(({ id }) => id));
  const others = (data?.annotationConfigs.edges ?? []).map(({ node }) => node).filter(({ id }) => !known.has(id));
  const attach = (id: string, name: string) => {
    send(attachConfig, { projectId, annotationConfigId: id }).then(
      () => {
        tell(`${name} was added to this project.`);
        onAdded(id);
      },
      (error: unknown) => tellFailure(toFailure(error).message),
    );
  };
  if (others.length === 0) return null;
  return (
    <>
      {others.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => attach(id, name)}>
          {name}
        </MenuItem>
      ))}
      <MenuLine />
    </>
  );
}

const NOTHING = {};
