import type { Column } from '../../../components/table/column.ts';
import { formatAge } from '../../../format/ages.ts';
import { MISSING } from '../../../format/numbers.ts';
import type { TimeFormat } from '../../../format/times.ts';
import { Link } from '../../../router/Link.tsx';
import { promptPath } from '../../prompts/prompt-row.ts';
import type { VersionRow } from '../prompt-head.ts';
import { TagChip } from '../TagChip.tsx';

/** Columns of the list of versions. */
export const versionColumns = (promptId: string, times: TimeFormat): readonly Column<VersionRow>[] => [
  {
    id: 'version',
    label: 'Version',
    width: 130,
    cell: ({ id, sequenceNumber, isLatest }) => (
      <span className="row">
        <Link to={promptPath(promptId, 'versions', id)}>Version {sequenceNumber}</Link>
        {isLatest && <span className="muted">latest</span>}
      </span>
    ),
  },
  {
    id: 'tags',
    label: 'Tags',
    width: 170,
    grow: 1,
    cell: ({ tags }) => (
      <span className="prompt-tags">
        {tags.map((tag) => (
          <TagChip key={tag.id} name={tag.name} />
        ))}
      </span>
    ),
  },
  {
    id: 'description',
    label: 'Description',
    width: 220,
    grow: 3,
    cell: ({ description }) => (
      <span className="clip" dir="auto" title={description ?? undefined}>
        {description}
      </span>
    ),
  },
  {
    id: 'model',
    label: 'Model',
    width: 150,
    grow: 1,
    cell: ({ modelName }) => (
      <span className="clip" title={modelName}>
        {modelName}
      </span>
    ),
  },
  {
    id: 'author',
    label: 'Author',
    width: 110,
    cell: ({ user }) => (
      <span className="clip" dir="auto">
        {user?.username ?? MISSING}
      </span>
    ),
  },
  {
    id: 'created',
    label: 'Created',
    width: 110,
    cell: ({ createdAt }) => <span title={times.full(createdAt)}>{formatAge(createdAt)}</span>,
  },
  {
    id: 'changes',
    label: 'Changes',
    width: 90,
    cell: ({ id, sequenceNumber }) =>
      sequenceNumber > 1 ? <Link to={`${promptPath(promptId, 'versions', id)}?view=changes`}>Changes</Link> : MISSING,
  },
];
