import type { Annotation } from '../../../model/annotation.ts';
import type { Page } from '../../../model/page.ts';
import type { Span, SpanRow } from '../../../model/span.ts';
import type { SpanListPage } from '../../contract/spans.ts';
import { type PackedAnnotations, packAnnotations, unpackAnnotations } from './packed-annotations.ts';
import { type PackedSpanRows, packSpanRows, unpackSpanRows } from './packed-span-rows.ts';
import { type PackedSpans, packSpans, unpackSpans } from './packed-spans.ts';

// Results that may be thousands of rows, or hundreds of whole spans, cross threads in columns: the structured clone of so
// many objects costs more than reading them from the database, on both sides, and clearing away what it made as much again.

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

/** Texts of a page that are laid end to end, which is a copy more of them; longer ones are few, and are cloned one by one. */
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

/** How results of reads cross; those of other reads do as they are. */
const PACKINGS: ReadonlyMap<string, { pack(result: never): unknown; unpack(packed: never): unknown }> = new Map([
  ['findSpans', { pack: packWholeSpans, unpack: unpackWholeSpans }],
  ['findSpanRows', { pack: packRows, unpack: unpackRows }],
  ['listSpans', { pack: packPage, unpack: unpackPage }],
  ['listRootSpans', { pack: packPage, unpack: unpackPage }],
  ['findAnnotationsOfTargets', { pack: packOfTargets, unpack: unpackOfTargets }],
]);

/** What the store thread sends of the result of a method. */
export const packResult = (method: string, result: unknown): unknown =>
  PACKINGS.get(method)?.pack(result as never) ?? result;

/** The result of a method, from what the store thread has sent. */
export const unpackResult = (method: string, packed: unknown): unknown =>
  PACKINGS.get(method)?.unpack(packed as never) ?? packed;
