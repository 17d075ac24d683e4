import { distinctColors } from '../../components/chart/chart-series.ts';
import { TimeChart } from '../../components/chart/TimeChart.tsx';
import { Failure } from '../../components/Failure.tsx';
import { useQuery } from '../../data/use-query.ts';
import { shownName } from '../../format/names.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { Link } from '../../router/Link.tsx';
import { settingsGrowth, settingsStorage } from './generated/settings.ts';

/** Stored bytes by table and by project, growth, and free space. */
export function Storage() {
  const { data, failure, refetch } = useQuery(settingsStorage, NOTHING);
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  const tables = [...(data?.dbTableStats ?? [])].sort((a, b) => b.numBytes - a.numBytes);
  const total = tables.reduce((sum, { numBytes }) => sum + numBytes, 0);
  const capacity = data?.dbStorageCapacityBytes ?? undefined;
  return (
    <div className="storage">
      <Growth />
      <section className="card settings-storage" aria-label="Disk" aria-busy={data === undefined}>
        <h2>Disk</h2>
        <p>
          <strong>{formatBytes(total)}</strong>
          {capacity !== undefined && ` of ${formatBytes(capacity)}`}
        </p>
        {data?.serverStatus.insufficientStorage && (
          <p className="error-text">The storage is full. The server rejects new data until you delete some.</p>
        )}
        <ul aria-label="Tables">
          {tables.slice(0, 8).map(({ tableName, numBytes }) => (
            <Bar key={tableName} share={numBytes / Math.max(1, total)} value={formatBytes(numBytes)}>
              {TABLE_NAMES.get(tableName) ?? tableName.replaceAll('_', ' ')}
            </Bar>
          ))}
        </ul>
      </section>
    </div>
  );
}

const NOTHING = {};
const TABLE_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({ spans: 'Spans, traces, sessions and annotations' }),
);

const DAY_COUNT = 30;
const DAY_MS = 86_400_000;

function Growth() {
  const { data, failure, isLoading, refetch } = useQuery(settingsGrowth, { days: DAY_COUNT });
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  const projects = data?.storageOfProjects ?? [];
  const colors = distinctColors(projects.map(({ project }) => project.id));
  const most = Math.max(1, ...projects.map(({ numBytes }) => numBytes));
  const firstDay = Math.floor(Date.now() / DAY_MS) - DAY_COUNT + 1;
  const starts = Array.from({ length: DAY_COUNT }, (_, index) => (firstDay + index) * DAY_MS);
  return (
    <>
      <TimeChart
        title="Growth"
        about={`stored spans by their start day, ${DAY_COUNT} days`}
        kind="bars"
        isLevel
        isLoading={isLoading}
        format={formatBytes}
        bins={{ starts, widthMs: DAY_MS }}
        series={projects.map(({ project, numBytesByDay }) => ({
          id: project.id,
          label: project.name,
          color: colors.get(project.id)!,
          values: numBytesByDay,
        }))}
      />
      <section className="card settings-storage" aria-label="Projects" aria-busy={isLoading}>
        <h2>Projects</h2>
        <p className="muted">Estimated from a sample of each project’s spans.</p>
        {projects.length === 0 && !isLoading && <p>No project has spans yet. Send a trace to a project first.</p>}
        <ul aria-label="Projects by bytes">
          {projects.map(({ project, numBytes, spanCount }) => (
            <Bar
              key={project.id}
              share={numBytes / most}
              value={`≈ ${formatBytes(Math.round(numBytes))}, ${formatCount(spanCount)} ${spanCount === 1 ? 'span' : 'spans'}`}
            >
              <Link to={`/projects/${encodeURIComponent(project.id)}/config`} title={project.name}>
                {shownName(project.name)}
              </Link>
            </Bar>
          ))}
        </ul>
      </section>
    </>
  );
}

interface BarProps {
  /** From 0 to 1. */
  readonly share: number;
  readonly value: string;
  readonly children: React.ReactNode;
}

const Bar = ({ share, value, children }: BarProps) => (
  <li style={{ '--share': `${100 * share}%` } as React.CSSProperties}>
    <span className="clip" dir="auto">
      {children}
    </span>
    <span className="muted">{value}</span>
  </li>
);
