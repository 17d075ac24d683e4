import { formatAge } from '../../format/ages.ts';
import { shownName } from '../../format/names.ts';
import { formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { Link } from '../../router/Link.tsx';
import { Disc } from './Disc.tsx';
import { ProjectMenu } from './ProjectMenu.tsx';
import type { ProjectRow } from './project-row.ts';

export const projectPath = ({ id }: ProjectRow): string => `/projects/${encodeURIComponent(id)}`;

interface ProjectCardProps {
  readonly project: ProjectRow;
  readonly onChanged: () => void;
}

export function ProjectCard({ project, onChanged }: ProjectCardProps) {
  const times = useTimeFormat();
  const { name, description, endTime, traceCount, recordCount, p50, hasTraces } = project;
  return (
    <li className="project-card card">
      <header>
        <Disc project={project} />
        <h2 className="grow clip">
          <Link to={projectPath(project)} title={name} dir="auto">
            {shownName(name)}
          </Link>
        </h2>
        <ProjectMenu project={project} onChanged={onChanged} />
      </header>
      <p className="muted clip" dir="auto" title={description ?? undefined}>
        {description || (hasTraces ? '\u00a0' : 'Waiting for the first trace')}
      </p>
      <dl>
        <div>
          <dt>Traces</dt>
          <dd>{formatCount(traceCount)}</dd>
        </div>
        <div>
          <dt>Spans</dt>
          <dd>{formatCount(recordCount)}</dd>
        </div>
        <div>
          <dt>P50</dt>
          <dd>{formatLatency(p50)}</dd>
        </div>
        <div>
          <dt>Last activity</dt>
          <dd title={times.full(endTime)}>{formatAge(endTime)}</dd>
        </div>
      </dl>
    </li>
  );
}
