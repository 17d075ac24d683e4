import { LabelChips } from '../../components/labels/LabelChips.tsx';
import type { Column } from '../../components/table/column.ts';
import { formatAge } from '../../format/ages.ts';
import { formatCount, MISSING } from '../../format/numbers.ts';
import type { TimeFormat } from '../../format/times.ts';
import { Link } from '../../router/Link.tsx';
import { TagChip } from '../prompt/TagChip.tsx';
import { PromptMenu } from './PromptMenu.tsx';
import { latestOf, type PromptRow, promptPath } from './prompt-row.ts';

/** Columns of the list of prompts. */
export const promptColumns = (times: TimeFormat, onChanged: () => void): readonly Column<PromptRow>[] => [
  {
    id: 'name',
    label: 'Name',
    width: 150,
    grow: 2,
    cell: ({ id, name }) => (
      <Link to={promptPath(id)} className="clip" title={name}>
        {name}
      </Link>
    ),
  },
  { id: 'labels', label: 'Labels', width: 90, grow: 1, cell: ({ labels }) => <LabelChips labels={labels} /> },
  {
    id: 'description',
    label: 'Description',
    width: 100,
    grow: 3,
    cell: ({ description }) => (
      <span className="clip muted" dir="auto" title={description ?? undefined}>
        {description}
      </span>
    ),
  },
  {
    id: 'model',
    label: 'Model',
    width: 104,
    grow: 1,
    cell: (row) => {
      const latest = latestOf(row);
      return (
        <span className="clip" title={latest && `${latest.modelName} (${latest.modelProvider})`}>
          {latest?.modelName ?? MISSING}
        </span>
      );
    },
  },
  {
    id: 'versions',
    label: 'Versions',
    width: 72,
    isNumber: true,
    cell: ({ versionCount }) => formatCount(versionCount),
  },
  {
    id: 'tags',
    label: 'Tags',
    width: 204,
    grow: 1,
    cell: ({ id, versionTags }) => (
      <span className="prompt-tags">
        {versionTags.map((tag) => (
          <TagChip key={tag.id} name={tag.name} to={promptPath(id, 'versions', tag.promptVersionId)} />
        ))}
      </span>
    ),
  },
  {
    id: 'latest',
    label: 'Latest version',
    width: 100,
    cell: (row) => {
      const latest = latestOf(row);
      return latest ? (
        <Link to={promptPath(row.id, 'versions', latest.id)} title={times.full(latest.createdAt)}>
          Version {latest.sequenceNumber}
        </Link>
      ) : (
        MISSING
      );
    },
  },
  person('createdBy', 'Created by'),
  person('updatedBy', 'Updated by'),
  {
    id: 'updated',
    label: 'Last updated',
    width: 96,
    cell: ({ updatedAt }) => <span title={times.full(updatedAt)}>{formatAge(updatedAt)}</span>,
  },
  {
    id: 'menu',
    label: '',
    width: 44,
    cell: (row) => <PromptMenu prompt={row} onChanged={onChanged} />,
  },
];

const person = (id: 'createdBy' | 'updatedBy', label: string): Column<PromptRow> => ({
  id,
  label,
  width: 110,
  isHiddenAtFirst: true,
  cell: (row) => (
    <span className="clip" dir="auto">
      {row[id]?.username ?? MISSING}
    </span>
  ),
});
