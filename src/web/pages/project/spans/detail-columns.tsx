import type { Column } from '../../../components/table/column.ts';
import { MISSING } from '../../../format/numbers.ts';
import { SummaryChips } from './SummaryChips.tsx';
import type { DetailId } from './span-list.ts';
import type { SpanRow } from './span-row.ts';

export const MISSING_CELL = <span className="muted">{MISSING}</span>;

/** Columns that are hidden by default. Their values are only read while one of them is visible (`span-list.ts`). */
export const DETAIL_COLUMNS: readonly Column<SpanRow>[] = [
  column('error', 'Error', 160, ({ statusMessage }) => statusMessage),
  column('user', 'User', 100, ({ userId }) => userId),
  column('metadata', 'Metadata', 160, ({ metadata }) => metadata),
  column('notes', 'Notes', 160, ({ spanNotes }) => spanNotes?.map(({ explanation }) => explanation).join(' · ')),
  {
    id: 'traceAnnotations' satisfies DetailId,
    label: 'Trace annotations',
    width: 130,
    isHiddenAtFirst: true,
    cell: ({ trace }) => <SummaryChips target="trace" summaries={trace.said ?? []} />,
  },
];

function column(
  id: DetailId,
  label: string,
  width: number,
  read: (row: SpanRow) => string | null | undefined,
): Column<SpanRow> {
  return { id, label, width, isHiddenAtFirst: true, cell: (row) => read(row) || MISSING_CELL };
}
