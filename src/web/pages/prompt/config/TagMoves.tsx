import { FailureLine } from '../../../components/Failure.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatAge } from '../../../format/ages.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { Link } from '../../../router/Link.tsx';
import { promptPath } from '../../prompts/prompt-row.ts';
import { promptTagMoves } from '../generated/prompt.ts';
import { TagChip } from '../TagChip.tsx';

/** Who moved which tag from which version to which, newest first. */
export function TagMoves({ promptId }: { readonly promptId: string }) {
  const { data, failure, refetch } = useQuery(promptTagMoves, { id: promptId });
  const times = useTimeFormat();
  const moves = data?.node.__typename === 'Prompt' ? data.node.tagMoves : undefined;
  if (failure) return <FailureLine failure={failure} onRetry={refetch} />;
  if (moves?.length === 0) return <p className="muted">No tag has been set or moved yet.</p>;
  return (
    <ul className="tag-moves">
      {moves?.map(({ tagName, movedAt, user, fromVersion, toVersion }) => (
        <li key={`${tagName} ${movedAt}`} className="row">
          <TagChip name={tagName} />
          <span className="grow">
            {fromVersion && toVersion ? (
              <>
                moved from <VersionLink promptId={promptId} version={fromVersion} /> to{' '}
                <VersionLink promptId={promptId} version={toVersion} />
              </>
            ) : toVersion ? (
              <>
                added to <VersionLink promptId={promptId} version={toVersion} />
              </>
            ) : (
              fromVersion && (
                <>
                  removed from <VersionLink promptId={promptId} version={fromVersion} />
                </>
              )
            )}
            {user && <> by {user.username}</>}
          </span>
          <time className="muted" dateTime={movedAt} title={times.full(movedAt)}>
            {formatAge(movedAt)}
          </time>
        </li>
      ))}
    </ul>
  );
}

interface VersionLinkProps {
  readonly promptId: string;
  readonly version: { readonly id: string; readonly sequenceNumber: number };
}

const VersionLink = ({ promptId, version }: VersionLinkProps) => (
  <Link to={promptPath(promptId, 'versions', version.id)}>version {version.sequenceNumber}</Link>
);
