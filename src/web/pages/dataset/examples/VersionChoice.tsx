import { useQuery } from '../../../data/use-query.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { setSearch } from '../../../router/location.ts';
import { datasetVersions } from '../versions/generated/versions.ts';

interface VersionChoiceProps {
  readonly datasetId: string;
  readonly versionId: string | null;
}

/** Chooses the version whose examples are shown. */
export function VersionChoice({ datasetId, versionId }: VersionChoiceProps) {
  const { data } = useQuery(datasetVersions, { id: datasetId, after: null });
  const { minute } = useTimeFormat();
  const versions = data?.node.__typename === 'Dataset' ? data.node.versions.edges.map(({ node }) => node) : [];
  if (versions.length < 2 && versionId === null) return null;
  const isListed = versionId === null || versions.some(({ id }) => id === versionId);
  return (
    <select
      className="input example-version"
      aria-label="Version"
      value={versionId ?? ''}
      onChange={(event) => setSearch({ version: event.target.value || null })}
    >
      <option value="">Latest version</option>
      {!isListed && <option value={versionId}>An earlier version</option>}
      {versions.slice(1).map(({ id, createdAt, description }) => (
        <option key={id} value={id}>
          {minute(createdAt)} {description?.slice(0, 60)}
        </option>
      ))}
    </select>
  );
}
