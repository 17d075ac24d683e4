import { Failure } from '../../components/Failure.tsx';
import { useQuery } from '../../data/use-query.ts';
import { formatBytes } from '../../format/numbers.ts';
import { settingsAbout } from './generated/settings.ts';

/** What the server stores, and how much room there is. */
export function About() {
  const { data, failure, refetch } = useQuery(settingsAbout, {});
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  const tables = [...(data?.dbTableStats ?? [])].sort((a, b) => b.numBytes - a.numBytes);
  const total = tables.reduce((sum, { numBytes }) => sum + numBytes, 0);
  const capacity = data?.dbStorageCapacityBytes ?? undefined;
  return (
    <section className="card settings-storage" aria-busy={data === undefined}>
      <h2>Storage</h2>
      <p>
        <strong>{formatBytes(total)}</strong>
        {capacity !== undefined && ` of ${formatBytes(capacity)}`}
      </p>
      {data?.serverStatus.insufficientStorage && (
        <p className="error-text">There is no room left: the server takes nothing new until something is deleted.</p>
      )}
      <ul aria-label="Tables">
        {tables.slice(0, 12).map(({ tableName, numBytes }) => (
          <li key={tableName} style={{ '--share': `${(100 * numBytes) / Math.max(1, total)}%` } as React.CSSProperties}>
            <code className="clip">{tableName}</code>
            <span className="muted">{formatBytes(numBytes)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
