import type { Span } from '../../../model/spans/span.ts';
import { nullableTextAt, numberAt, type PackedTexts, packNumbers, packTexts, textAt } from './packed-columns.ts';
import { type PackedSpanHeads, packSpanHeads, spanHeadAt } from './packed-span-heads.ts';

/** Whole spans, in columns. */
export interface PackedSpans extends PackedSpanHeads {
  /** Attribute parts of all spans, in the order of the spans. */
  readonly attributeParts: PackedTexts;
  /** Number of attribute parts of each span. */
  readonly partCounts: Float64Array;
  readonly events: PackedTexts;
}

export const packSpans = (spans: readonly Span[]): PackedSpans => ({
  ...packSpanHeads(spans),
  attributeParts: packTexts(
    spans.flatMap(({ attributeParts }) => attributeParts),
    (part) => part,
  ),
  partCounts: packNumbers(spans, ({ attributeParts }) => attributeParts.length),
  events: packTexts(spans, ({ events }) => events),
});

export function unpackSpans(spans: PackedSpans): Span[] {
  let part = 0;
  return Array.from(spans.rowIds, (_rowId, index) => ({
    ...spanHeadAt(spans, index),
    attributeParts: Array.from({ length: numberAt(spans.partCounts, index) }, () =>
      textAt(spans.attributeParts, part++),
    ),
    events: nullableTextAt(spans.events, index),
  }));
}
