import { useState } from 'react';
import { FailureLine } from '../../../components/Failure.tsx';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import { navigate } from '../../../router/location.ts';
import type { BulkDialogProps } from './bulk.ts';
import { bulkProjects, transferTraces } from './generated/bulk.ts';

/** Moves whole traces to another project. */
export function MoveTraces({ projectId, selected: { traceIds }, onClose, onDone }: BulkDialogProps) {
  const [name, setName] = useState('');
  const [target, setTarget] = useState<{ readonly id: string; readonly name: string }>();
  const { data, failure, refetch } = useQuery(bulkProjects, { name: name.trim() });
  const change = useChange();
  const projects = (data?.projects.edges ?? []).map(({ node }) => node).filter(({ id }) => id !== projectId);
  const count = `${formatCount(traceIds.length)} ${traceIds.length === 1 ? 'trace' : 'traces'}`;
  const move = () => {
    if (!target) return;
    void change.run(
      () => send(transferTraces, { traceIds, projectId: target.id }),
      () => {
        const show = () => navigate(`/projects/${encodeURIComponent(target.id)}/traces`);
        toast(`Moved ${count} to ${target.name}.`, { label: 'Show', run: show });
        onDone();
      },
    );
  };
  return (
    <FormDialog
      title={`Move ${count} to another project`}
      change={change}
      action={`Move ${count}`}
      isReady={target !== undefined}
      onSubmit={move}
      onClose={onClose}
    >
      <p className="muted">The traces move with their spans and annotations. Their sessions stay in this project.</p>
      <input
        className="input"
        aria-label="Search projects"
        placeholder="Search projects"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {failure && <FailureLine failure={failure} onRetry={refetch} />}
      <div className="bulk-projects" role="radiogroup" aria-label="Project">
        {projects.map((project) => (
          <label key={project.id} className="menu-item">
            <input
              type="radio"
              name="project"
              checked={target?.id === project.id}
              onChange={() => setTarget(project)}
            />
            <span className="clip">{project.name}</span>
          </label>
        ))}
        {data && projects.length === 0 && <p className="menu-title">No other projects match the search.</p>}
      </div>
    </FormDialog>
  );
}
