import type { Column, ColumnChoice } from '../../components/table/column.ts';
import { MISSING } from '../../format/numbers.ts';
import { Chips } from './Chips.tsx';
import type { SpanRow } from './span-row.ts';

export const MISSED = <span className="muted">{MISSING}</span>;

/** Columns that nobody has in sight at first: what they show is read only where one of them is. */
export const DETAIL_COLUMNS: readonly Column<SpanRow>[] = [
  column('error', 'Error', 160, ({ statusMessage }) => statusMessage),
  column('user', 'User', 100, ({ userId }) => userId),
  column('metadata', 'Metadata', 160, ({ metadata }) => metadata),
  column('notes', 'Notes', 160, ({ spanNotes }) => spanNotes?.map(({ explanation }) => explanation).join(' · ')),
  {
    id: 'traceAnnotations',
    label: 'Trace annotations',
    width: 130,
    isHiddenAtFirst: true,
    cell: ({ trace }) => <Chips target="trace" summaries={trace.said ?? []} />,
  },
];

function column(
  id: string,
  label: string,
  width: number,
  read: (row: SpanRow) => string | null | undefined,
): Column<SpanRow> {
  return { id, label, width, isHiddenAtFirst: true, cell: (row) => read(row) || MISSED };
}

/** `hidden` names what differs from how a column is at first. */
export const needsDetails = ({ hidden }: ColumnChoice): boolean => DETAIL_COLUMNS.some(({ id }) => hidden.includes(id));
