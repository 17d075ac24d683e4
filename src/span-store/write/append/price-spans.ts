// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each row.
import { SPAN_KINDS } from '../../../semconv/span-kinds.ts';
import type { PriceTable } from '../../../model/models/price-table.ts';
import { computeCost, type SpanCost, toTokenCounts } from '../../../model/models/span-cost.ts';
import { readNullableText, readText } from '../../../columns/read-text.ts';
import type { SpanColumns } from '../../../columns/span-columns.ts';
import { type RowSelection, selectedRow } from '../../cache/row-selection.ts';
import { findTokenCountText } from './token-count-text.ts';

export const LLM_KIND = SPAN_KINDS.indexOf('LLM');

/** Costs of the selected rows, in their order. Undefined for spans without a cost row. */
export function priceSpans(batch: SpanColumns, kept: RowSelection, prices: PriceTable): (SpanCost | undefined)[] {
  const costs = new Array<SpanCost | undefined>(kept.count);
  for (let at = 0; at < kept.count; at++) {
    const row = selectedRow(kept, at);
    if (batch.spanKind[row] !== LLM_KIND || batch.modelName.present[row] === 0) continue;
    const { utf8, offset } = batch.attributes;
    costs[at] = priceSpan(prices, {
      modelName: readText(batch.modelName, row),
      provider: readNullableText(batch.provider, row),
      start: batch.startTimeUnixNano[row]!,
      tokenCounts: findTokenCountText(utf8, offset[row]!, offset[row + 1]!),
    });
  }
  return costs;
}

/** What decides the cost of a span of kind LLM. */
export interface PricedSpan {
  readonly modelName: string;
  readonly provider: string | null;
  readonly start: bigint;
  /** JSON text of the attribute `llm.token_count`. */
  readonly tokenCounts: string | undefined;
}

/** Undefined without the name of a model, or without token counts. */
export function priceSpan(prices: PriceTable, span: PricedSpan): SpanCost | undefined {
  const modelName = span.modelName.trim();
  if (modelName === '' || span.tokenCounts === undefined) return undefined;
  const counts = toTokenCounts(JSON.parse(span.tokenCounts));
  return computeCost(counts, prices.find(modelName, span.provider?.trim() ?? '', span.start));
}
