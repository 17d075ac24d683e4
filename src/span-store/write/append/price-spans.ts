// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each row.
import { SPAN_KINDS } from '../../../semconv/span-kinds.ts';
import type { PriceTable } from '../../../model/models/price-table.ts';
import { computeCost, type SpanCost, toTokenCounts } from '../../../model/models/span-cost.ts';
import { readNullableText } from '../../../columns/read-text.ts';
import type { SpanColumns } from '../../../columns/span-columns.ts';
import { type RowSelection, selectedRow } from '../../cache/row-selection.ts';
import { findEmbeddingModelText, findTokenCountText } from './token-count-text.ts';

const EMBEDDING_KIND = SPAN_KINDS.indexOf('EMBEDDING');
/** Kinds of spans that have a cost, by their index in `SPAN_KINDS`. */
export const PRICED_KINDS = [SPAN_KINDS.indexOf('LLM'), EMBEDDING_KIND] as const;

/** Costs of the selected rows, in their order. Undefined for spans without a cost row. */
export function priceSpans(batch: SpanColumns, kept: RowSelection, prices: PriceTable): (SpanCost | undefined)[] {
  const costs = new Array<SpanCost | undefined>(kept.count);
  for (let at = 0; at < kept.count; at++) {
    const row = selectedRow(kept, at);
    if (!PRICED_KINDS.includes(batch.spanKind[row]!)) continue;
    const { utf8, offset } = batch.attributes;
    const modelName = readNullableText(batch.modelName, row) ?? readEmbeddingModel(batch, row);
    if (modelName === undefined) continue;
    costs[at] = priceSpan(prices, {
      modelName,
      provider: readNullableText(batch.provider, row),
      start: batch.startTimeUnixNano[row]!,
      tokenCounts: findTokenCountText(utf8, offset[row]!, offset[row + 1]!),
    });
  }
  return costs;
}

/** OpenInference names the model of an embedding apart. */
function readEmbeddingModel({ spanKind, attributes: { utf8, offset } }: SpanColumns, row: number): string | undefined {
  if (spanKind[row] !== EMBEDDING_KIND) return undefined;
  const text = findEmbeddingModelText(utf8, offset[row]!, offset[row + 1]!);
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return typeof value === 'string' ? value : undefined;
}

/** What decides the cost of a call of a model. */
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
