// biome-ignore-all lint/style/noNonNullAssertion: each span has a position.
import type { Annotation } from '../../../model/annotations/annotation.ts';
import type { Page } from '../../../model/page.ts';
import type { Span, SpanRow } from '../../../model/spans/span.ts';
import type { ColumnQuery } from '../../contract/rows.ts';
import type { SpanColumnsPage, SpanListPage } from '../../contract/spans.ts';
import { type PackedAnnotations, packAnnotations, unpackAnnotations } from './packed-annotations.ts';
import { type PackedSpanRows, packSpanRows, unpackSpanRows } from './packed-span-rows.ts';
import { type PackedSpans, packSpans, unpackSpans } from './packed-spans.ts';

// Large results are sent between threads in columns. A structured clone of thousands of rows or hundreds of whole spans costs
// more than reading them from the database, on both sides, and collecting its garbage costs the same again.

interface PackedPage {
  readonly rows: PackedSpanRows;
  readonly positions: readonly SpanListPage['items'][number]['at'][];
  readonly nextAfter: SpanListPage['nextAfter'];
}

const packRows = (rows: ReadonlyMap<number, SpanRow>): PackedSpanRows => packSpanRows([...rows.values()]);
const unpackRows = (packed: PackedSpanRows): Map<number, SpanRow> =>
  new Map(unpackSpanRows(packed).map((row) => [row.rowId, row]));

const packPage = ({ items, nextAfter }: SpanListPage): PackedPage => ({
  rows: packSpanRows(items.map(({ span }) => span)),
  positions: items.map(({ at }) => at),
  nextAfter,
});
const unpackPage = ({ rows, positions, nextAfter }: PackedPage): SpanListPage => ({
  items: unpackSpanRows(rows).map((span, index) => ({ span, at: positions[index]! })),
  ...(nextAfter && { nextAfter }),
});

/** Maximum characters of a page that are concatenated, which copies them. Longer texts are few and are cloned individually. */
const PACKED_CHARS_MAX = 2 ** 21;

function packWholeSpans({ items, ...page }: Page<Span>): PackedSpanPage {
  const charCount = items.reduce((sum, span) => sum + lengthOf(span), 0);
  return { ...page, items: charCount > PACKED_CHARS_MAX ? items : packSpans(items) };
}
const unpackWholeSpans = ({ items, ...page }: PackedSpanPage): Page<Span> => ({
  ...page,
  items: Array.isArray(items) ? items : unpackSpans(items),
});
type PackedSpanPage = Omit<Page<Span>, 'items'> & { readonly items: PackedSpans | Span[] };

const lengthOf = ({ attributeParts, events }: Span): number =>
  attributeParts.reduce((sum, part) => sum + part.length, events?.length ?? 0);

const packOfTargets = (found: ReadonlyMap<number, Annotation[]>): PackedAnnotations =>
  packAnnotations([...found.values()].flat());
function unpackOfTargets(packed: PackedAnnotations): Map<number, Annotation[]> {
  const found = new Map<number, Annotation[]>();
  for (const annotation of unpackAnnotations(packed)) {
    const ofTarget = found.get(annotation.targetRowId);
    if (ofTarget) ofTarget.push(annotation);
    else found.set(annotation.targetRowId, [annotation]);
  }
  return found;
}

interface Packing {
  pack(result: never): unknown;
  unpack(packed: never): unknown;
}
const ANNOTATIONS: Packing = { pack: packOfTargets, unpack: unpackOfTargets };

/** Codecs of results by read, or by rows and column. Other results are cloned. */
const PACKINGS: ReadonlyMap<string, Packing> = new Map<string, Packing>([
  ['findSpans', { pack: packWholeSpans, unpack: unpackWholeSpans }],
  ['spans.row', { pack: packRows, unpack: unpackRows }],
  ['listSpans', { pack: packPage, unpack: unpackPage }],
  ['listRootSpans', { pack: packPage, unpack: unpackPage }],
  ...['spans', 'documents', 'traces', 'sessions'].map((of) => [`${of}.annotations`, ANNOTATIONS] as const),
]);

function codecOf(method: string, argument: unknown) {
  if (method !== 'get') return PACKINGS.get(method);
  const { of, column } = argument as ColumnQuery;
  return PACKINGS.get(`${of}.${column}`);
}

/** The result of a read as the store thread sends it. */
export const packResult = (method: string, argument: unknown, result: unknown): unknown =>
  codecOf(method, argument)?.pack(result as never) ?? result;

/** The result of a read, from the form in which the store thread sent it. */
export const unpackResult = (method: string, argument: unknown, packed: unknown): unknown =>
  codecOf(method, argument)?.unpack(packed as never) ?? packed;

/** Buffers of a result that are moved to the other thread. */
export function transferOf(method: string, packed: unknown): ArrayBuffer[] {
  if (method !== 'listSpanColumns') return [];
  const buffers: ArrayBuffer[] = [];
  for (const column of Object.values((packed as SpanColumnsPage).columns)) {
    const arrays = typeof column !== 'object' || ArrayBuffer.isView(column) ? [column] : Object.values(column);
    for (const array of arrays) if (ArrayBuffer.isView(array)) buffers.push(array.buffer as ArrayBuffer);
  }
  return buffers;
}
