import { LabelChips } from '../../components/labels/LabelChips.tsx';
import type { Column } from '../../components/table/column.ts';
import { formatAge } from '../../format/ages.ts';
import { shownName } from '../../format/names.ts';
import { formatCount } from '../../format/numbers.ts';
import type { TimeFormat } from '../../format/times.ts';
import { Link } from '../../router/Link.tsx';
import { DatasetMenu } from './DatasetMenu.tsx';
import { type DatasetRow, datasetPath } from './dataset-row.ts';

const MISSING = <span className="muted">--</span>;

export const datasetColumns = (times: TimeFormat, onChanged: () => void): readonly Column<DatasetRow>[] => [
  {
    id: 'name',
    label: 'Name',
    width: 160,
    grow: 1.4,
    sort: 'name',
    cell: (row) => <Link to={datasetPath(row)}>{shownName(row.name)}</Link>,
  },
  { id: 'labels', label: 'Labels', width: 120, grow: 1, cell: ({ labels }) => <LabelChips labels={labels} /> },
  {
    id: 'description',
    label: 'Description',
    width: 100,
    grow: 1.6,
    cell: ({ description }) => <span className="muted">{description}</span>,
  },
  number('exampleCount', 'Examples'),
  number('experimentCount', 'Experiments'),
  number('evaluatorCount', 'Evaluators'),
  {
    id: 'createdAt',
    label: 'Created',
    width: 92,
    sort: 'createdAt',
    cell: ({ createdAt }) => <span title={times.full(createdAt)}>{formatAge(createdAt)}</span>,
  },
  { id: 'createdBy', label: 'Created by', width: 96, isHiddenAtFirst: true, cell: (row) => userName(row.createdBy) },
  {
    id: 'lastUpdatedAt',
    label: 'Last updated',
    width: 96,
    cell: ({ lastUpdatedAt }) =>
      lastUpdatedAt === null ? MISSING : <span title={times.full(lastUpdatedAt)}>{formatAge(lastUpdatedAt)}</span>,
  },
  { id: 'updatedBy', label: 'Updated by', width: 96, isHiddenAtFirst: true, cell: (row) => userName(row.updatedBy) },
  {
    id: 'metadata',
    label: 'Metadata',
    width: 140,
    grow: 1,
    isHiddenAtFirst: true,
    cell: ({ metadata }) => <span className="mono">{JSON.stringify(metadata)}</span>,
  },
  { id: 'menu', label: 'Actions', width: 64, cell: (row) => <DatasetMenu dataset={row} onChanged={onChanged} /> },
];

function number(id: 'exampleCount' | 'experimentCount' | 'evaluatorCount', label: string): Column<DatasetRow> {
  return { id, label, width: 96, isNumber: true, cell: (row) => formatCount(row[id]) };
}

const userName = (user: DatasetRow['createdBy']) => user?.username ?? MISSING;
