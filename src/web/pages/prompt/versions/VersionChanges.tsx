import { Failure } from '../../../components/Failure.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import { setSearch, useLocation } from '../../../router/location.ts';
import { promptDifferences, promptVersionList } from '../generated/prompt.ts';
import { type PromptHead, useVersion, type Version } from '../prompt-head.ts';
import { DifferenceTable } from './DifferenceTable.tsx';
import { MessageChanges } from './MessageChanges.tsx';

interface VersionChangesProps {
  readonly prompt: PromptHead;
  readonly version: Version;
}

/** Number of versions that can be chosen as the base. */
const BASE_COUNT = 200;

/** Differences of a version from another one, the previous one by default. Both are in the address. */
export function VersionChanges({ prompt, version }: VersionChangesProps) {
  const { search } = useLocation();
  const baseId = search.get('base') ?? version.previousVersion?.id;
  const { data } = useQuery(promptVersionList, { id: prompt.id, first: BASE_COUNT, after: null });
  const rows = data?.node.__typename === 'Prompt' ? data.node.promptVersions.edges.map(({ node }) => node) : [];
  const others = rows.filter(({ id }) => id !== version.id);
  return (
    <div className="prompt-main">
      <label className="row version-base">
        <span>Changes from</span>
        <select
          className="input"
          value={baseId ?? ''}
          onChange={(event) => setSearch({ view: 'changes', base: event.target.value || null })}
        >
          {baseId === undefined && <option value="">Choose a version</option>}
          {baseId !== undefined && !others.some(({ id }) => id === baseId) && <option value={baseId}>…</option>}
          {others.map(({ id, sequenceNumber, description, tags }) => (
            <option key={id} value={id}>
              Version {sequenceNumber}
              {tags.length > 0 ? ` (${tags.map(({ name }) => name).join(', ')})` : ''}
              {description ? `: ${description.slice(0, 60)}` : ''}
            </option>
          ))}
        </select>
        <span>to version {version.sequenceNumber}</span>
      </label>
      {baseId === undefined ? (
        <p className="muted">This is the first version. Choose another one to compare it with.</p>
      ) : (
        <Changes promptId={prompt.id} baseId={baseId} version={version} />
      )}
    </div>
  );
}

interface ChangesProps {
  readonly promptId: string;
  readonly baseId: string;
  readonly version: Version;
}

function Changes({ promptId, baseId, version }: ChangesProps) {
  const { version: base, failure: baseFailure, refetch } = useVersion(promptId, baseId);
  const query = useQuery(promptDifferences, { baseVersionId: baseId, versionId: version.id });
  const failure = baseFailure ?? query.failure;
  if (failure) return <Failure failure={failure} onRetry={baseFailure ? refetch : query.refetch} />;
  if (!base || !query.data || query.isStale) return <div className="skeleton prompt-skeleton" />;
  const differences = query.data.comparePromptVersions;
  const others = differences.filter(({ path }) => !path.startsWith('template.messages'));
  const labels = { left: `Version ${base.sequenceNumber}`, right: `Version ${version.sequenceNumber}` };
  if (differences.length === 0) return <p className="muted">Both versions have the same content.</p>;
  return (
    <>
      <MessageChanges base={base} version={version} labels={labels} />
      {others.length === 0 ? (
        <p className="muted">Model, parameters, tools and response format are equal.</p>
      ) : (
        <DifferenceTable title={`Other changes (${formatCount(others.length)})`} differences={others} labels={labels} />
      )}
    </>
  );
}
