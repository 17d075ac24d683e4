import { Icon } from '../../../components/Icon.tsx';
import { Kind, KindMark } from '../../../components/Kind.tsx';
import { kindLabel } from '../../../components/kinds.ts';
import type { Column } from '../../../components/table/column.ts';
import { formatErrors, hasError } from '../../../format/errors.ts';
import { shownName } from '../../../format/names.ts';
import { formatCost, formatCount, formatFloat, formatLatency } from '../../../format/numbers.ts';
import type { TimeFormat } from '../../../format/times.ts';
import { Link } from '../../../router/Link.tsx';
import { DETAIL_COLUMNS, MISSING_CELL } from './detail-columns.tsx';
import { mostFrequent, type Summary, SummaryChips } from './SummaryChips.tsx';
import type { SpanRow, TraceRow } from './span-row.ts';
import type { ExpandedTraces } from './use-expanded-traces.ts';

/** Address that a row opens. */
export type Place = (row: SpanRow) => string;

const status: Column<SpanRow> = {
  id: 'status',
  label: 'Status',
  width: 58,
  cell: ({ statusCode }) => <Status code={statusCode} />,
};
/** Status of the root span, or a mark if only another span of its trace has failed. */
const statusOfRoot: Column<SpanRow> = {
  ...status,
  width: 82,
  cell: ({ trace, statusCode }) =>
    statusCode !== 'ERROR' && hasError(trace) ? (
      <span className="error-in-trace" title={`${formatErrors(trace.errorCount)} in the trace, below this span`}>
        In trace<span className="visually-hidden"> Error</span>
      </span>
    ) : (
      <Status code={statusCode} />
    ),
};
const kind: Column<SpanRow> = {
  id: 'kind',
  label: 'Kind',
  width: 108,
  cell: ({ spanKind }) => <Kind kind={spanKind} />,
};
/** In a narrow table, only the icon is shown, so that the name has more space. */
const kindMark: Column<SpanRow> = {
  ...kind,
  width: 46,
  cell: ({ spanKind }) => (
    <span title={kindLabel(spanKind)}>
      <KindMark kind={spanKind} />
      <span className="visually-hidden">{kindLabel(spanKind)}</span>
    </span>
  ),
};
const name = (place: Place): Column<SpanRow> => ({
  id: 'name',
  label: 'Name',
  width: 140,
  grow: 1.4,
  cell: (row) => <Link to={place(row)}>{shownName(row.name)}</Link>,
});
const input: Column<SpanRow> = {
  id: 'input',
  label: 'Input',
  width: 86,
  grow: 2,
  cell: (row) => row.inputPreview ?? MISSING_CELL,
};
const output: Column<SpanRow> = {
  id: 'output',
  label: 'Output',
  width: 86,
  grow: 2,
  cell: (row) => row.outputPreview ?? MISSING_CELL,
};
const traceId: Column<SpanRow> = {
  id: 'traceId',
  label: 'Trace ID',
  width: 250,
  isHiddenAtFirst: true,
  cell: ({ context }) => <span className="mono">{context.traceId}</span>,
};
const spanId: Column<SpanRow> = {
  id: 'spanId',
  label: 'Span ID',
  width: 140,
  isHiddenAtFirst: true,
  cell: ({ context }) => <span className="mono">{context.spanId}</span>,
};
const session: Column<SpanRow> = {
  id: 'session',
  label: 'Session',
  width: 120,
  isHiddenAtFirst: true,
  cell: ({ trace }) => trace.session?.sessionId ?? MISSING_CELL,
};

/** Annotations of the span, or of the trace in a table of traces. */
const summariesOf = (row: SpanRow): readonly Summary[] =>
  row.spanAnnotationSummaries ?? row.trace.traceAnnotationSummaries ?? [];

const annotations: Column<SpanRow> = {
  id: 'annotations',
  label: 'Annotations',
  width: 146,
  grow: 0.6,
  cell: (row) => <SummaryChips target={row.spanAnnotationSummaries ? 'span' : 'trace'} summaries={summariesOf(row)} />,
};

/** Annotation name of the loaded rows. */
export interface Annotated {
  readonly name: string;
  readonly isScored: boolean;
}

export function annotatedWith(rows: readonly SpanRow[]): readonly Annotated[] {
  const found = new Map<string, Annotated>();
  for (const row of rows) {
    for (const { name, meanScore } of summariesOf(row)) {
      if (!found.has(name)) found.set(name, { name, isScored: meanScore !== null });
    }
  }
  return [...found.values()];
}

/** One column per annotation name. Hidden by default, sorted by label or score. */
export const annotationColumns = (names: readonly Annotated[], isSortable: boolean): readonly Column<SpanRow>[] =>
  names.map(({ name, isScored }) => ({
    id: `annotation ${name}`,
    label: name,
    width: 110,
    isHiddenAtFirst: true,
    ...(isSortable && { sort: `annotation:${isScored ? 'score' : 'label'}:${name}` }),
    cell(row) {
      const summary = summariesOf(row).find((each) => each.name === name);
      if (!summary) return MISSING_CELL;
      const label = mostFrequent(summary.labelFractions);
      const score = summary.meanScore === null ? undefined : formatFloat(summary.meanScore);
      return [label, score].filter((text) => text !== null && text !== undefined).join(' ');
    },
  }));

const startTime = (times: TimeFormat): Column<SpanRow> => ({
  id: 'startTime',
  label: 'Started',
  width: 128,
  sort: 'startTime',
  cell: (row) => <span title={times.full(row.startTime)}>{times.short(row.startTime)}</span>,
});

/** State that the columns of a table depend on. */
export interface Shown {
  readonly times: TimeFormat;
  readonly place: Place;
  readonly isRootsOnly: boolean;
  readonly isNarrow: boolean;
}

export const spanColumns = ({ times, place, isRootsOnly, isNarrow }: Shown): readonly Column<SpanRow>[] => [
  isRootsOnly ? statusOfRoot : status,
  isNarrow ? kindMark : kind,
  name(place),
  input,
  output,
  annotations,
  {
    id: 'latency',
    label: 'Latency',
    width: 72,
    isNumber: true,
    sort: 'latencyMs',
    cell: (row) => formatLatency(row.latencyMs),
  },
  {
    id: 'tokens',
    label: 'Tokens',
    width: 70,
    isNumber: true,
    sort: isRootsOnly ? 'cumulativeTokenCountTotal' : 'tokenCountTotal',
    cell: (row) => formatCount((isRootsOnly ? row.cumulativeTokenCountTotal : row.tokenCountTotal) || undefined),
  },
  {
    id: 'cost',
    label: 'Cost',
    width: 64,
    isNumber: true,
    sort: isRootsOnly ? 'cumulativeTokenCostTotal' : 'tokenCostTotal',
    cell: (row) => <Cost value={(isRootsOnly ? row.trace.costSummary : row.costSummary)?.total.cost} />,
  },
  startTime(times),
  ...DETAIL_COLUMNS,
  spanId,
  traceId,
  session,
];

export const traceColumns = ({ times, place }: Pick<Shown, 'times' | 'place'>): readonly Column<SpanRow>[] => [
  statusOfRoot,
  // Indentation of the disclosure button and of the spans below.
  { ...name(place), width: 164, grow: 1.6 },
  input,
  output,
  annotations,
  {
    id: 'latency',
    label: 'Latency',
    width: 72,
    isNumber: true,
    sort: 'traceLatencyMs',
    cell: ({ trace }) => formatLatency(trace.latencyMs),
  },
  {
    id: 'tokens',
    label: 'Tokens',
    width: 70,
    isNumber: true,
    sort: 'traceTokenCountTotal',
    cell: ({ trace }) => formatCount(trace.tokenUsage?.total || undefined),
  },
  {
    id: 'cost',
    label: 'Cost',
    width: 64,
    isNumber: true,
    sort: 'cumulativeTokenCostTotal',
    cell: ({ trace }) => <Cost value={trace.costSummary?.total.cost} />,
  },
  { id: 'spans', label: 'Spans', width: 54, isNumber: true, cell: ({ trace }) => formatCount(trace.numSpans) },
  {
    id: 'errors',
    label: 'Errors',
    width: 56,
    isNumber: true,
    cell: ({ trace }) => (hasError(trace) ? <span className="status-error">{formatCount(trace.errorCount)}</span> : ''),
  },
  startTime(times),
  { ...kind, isHiddenAtFirst: true },
  { ...session, width: 84, isHiddenAtFirst: false },
  ...DETAIL_COLUMNS.filter(({ id }) => id !== 'traceAnnotations'),
  traceId,
];

/** Columns of expandable traces. The spans below a trace show their own values. */
export function expandableColumns(
  columns: readonly Column<SpanRow>[],
  ofSpans: readonly Column<SpanRow>[],
  { isExpanded, toggle }: Pick<ExpandedTraces, 'isExpanded' | 'toggle'>,
): readonly Column<TraceRow>[] {
  return columns.map((column) => ({
    ...column,
    cell(row: TraceRow) {
      const ofSpan = ofSpans.find(({ id }) => id === column.id);
      if (column.id !== 'name') return row.isChild ? (ofSpan?.cell(row) ?? '') : column.cell(row);
      if (row.isChild) {
        return (
          <span className="row-child">
            <KindMark kind={row.spanKind} /> {column.cell(row)}
          </span>
        );
      }
      return (
        <>
          <button
            type="button"
            className="row-fold"
            aria-expanded={isExpanded(row)}
            aria-label={`Spans of ${shownName(row.name)}`}
            onClick={() => toggle(row)}
          >
            <Icon name={isExpanded(row) ? 'down' : 'right'} size={12} />
          </button>
          {column.cell(row)}
        </>
      );
    },
  }));
}

/** The tooltip shows the exact value of a cost below one cent. */
export function Cost({ value }: { readonly value: number | null | undefined }) {
  return <span title={value ? `$${value}` : undefined}>{formatCost(value)}</span>;
}

function Status({ code }: { readonly code: SpanRow['statusCode'] }) {
  if (code === 'ERROR') return <span className="status-error">Error</span>;
  return <span className="muted">{code === 'OK' ? 'OK' : ''}</span>;
}
