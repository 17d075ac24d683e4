import type { ExactJson } from '../../../base/exact-json.ts';
import { attributeAt } from '../../../filter/attribute-values.ts';
import { evaluateValue } from '../../../filter/spans/evaluate-span-filter.ts';
import { parseSpanKey } from '../../../filter/spans/parse-span-filter.ts';
import type { RawAttribute, Value } from '../../../filter/spans/span-filter.ts';
import type { SpanView } from '../../../filter/spans/span-view.ts';

/** A span with all that a projection can name. */
export interface QueriedSpan {
  readonly view: SpanView;
  readonly events: ExactJson;
}

/** What a column of a table shows. */
export type SpanKey = Value | RawAttribute;

const parsed = new Map<string, SpanKey>();
const PARSED_COUNT_MAX = 1_000;

/**
 * A key as clients write it: a name of the span filter, with `attributes.` before an attribute or not.
 *
 * @throws {FilterError}
 */
export function toSpanKey(text: string): SpanKey {
  const known = parsed.get(text);
  if (known) return known;
  const key = parseSpanKey(text.replace(/^\s*attributes\./, ''));
  if (parsed.size >= PARSED_COUNT_MAX) parsed.clear();
  parsed.set(text, key);
  return key;
}

/** Null when it is missing; a bigint is a time. An attribute is as it was sent, whatever a filter would read it as. */
export function readValue(key: SpanKey, { view }: QueriedSpan): ExactJson | bigint {
  if (key.kind === 'attribute') return attributeAt(view.attributes, key.path) ?? null;
  return evaluateValue(key, view, new Map());
}

export const isCumulative = (key: SpanKey): boolean =>
  key.type === 'number' && key.kind === 'field' && key.field.startsWith('cumulative');
