import { formatAge } from '../../format/ages.ts';
import { shownName } from '../../format/names.ts';
import { formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { Link } from '../../router/Link.tsx';
import { Disc } from './Disc.tsx';
import { projectPath } from './ProjectCard.tsx';
import { ProjectMenu } from './ProjectMenu.tsx';
import type { ProjectRow } from './project-row.ts';

interface ProjectsTableProps {
  readonly rows: readonly ProjectRow[];
  readonly onChanged: () => void;
}

export function ProjectsTable({ rows, onChanged }: ProjectsTableProps) {
  const times = useTimeFormat();
  return (
    <table className="projects-table">
      <thead>
        <tr>
          <th>Name</th>
          <th>Description</th>
          <th className="number">Traces</th>
          <th className="number">Spans</th>
          <th className="number">P50</th>
          <th>Last activity</th>
          <th>
            <span className="visually-hidden">Menu</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((project) => (
          <tr key={project.id}>
            <td>
              <span className="row">
                <Disc project={project} />
                <Link to={projectPath(project)} className="clip" title={project.name} dir="auto">
                  {shownName(project.name)}
                </Link>
              </span>
            </td>
            <td className="muted" title={project.description ?? undefined}>
              {project.description}
            </td>
            <td className="number">{formatCount(project.traceCount)}</td>
            <td className="number">{formatCount(project.recordCount)}</td>
            <td className="number">{formatLatency(project.p50)}</td>
            <td title={times.full(project.endTime)}>{formatAge(project.endTime)}</td>
            <td className="number">
              <ProjectMenu project={project} onChanged={onChanged} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
