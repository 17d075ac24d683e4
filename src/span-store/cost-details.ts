import type { CostDetail, SpanCost } from '../model/span-cost.ts';
import { type ChunkWriter, VECTOR_ROW_COUNT } from './chunk-writer.ts';
import { toTextColumn } from './rollups.ts';

/** The cost row of a stored span. */
export interface StoredCost {
  readonly spanRowId: number;
  readonly traceRowId: number;
  readonly cost: SpanCost;
}

/** Appends the details of costs to `cost_details`. */
export async function writeCostDetails(writer: ChunkWriter, costs: readonly StoredCost[]): Promise<void> {
  const rows = costs.flatMap(({ cost, ...ids }) => cost.details.map((detail) => ({ ...ids, cost, detail })));
  for (let from = 0; from < rows.length; from += VECTOR_ROW_COUNT) {
    const chunk = rows.slice(from, from + VECTOR_ROW_COUNT);
    await writer.begin(chunk.length);
    const int64 = (name: string, of: (row: DetailRow) => number | null) =>
      writer.numbers(
        name,
        BigInt64Array.from(chunk, (row) => BigInt(of(row) ?? 0)),
        Uint8Array.from(chunk, (row) => (of(row) === null ? 0 : 1)),
      );
    int64('span_row_id', ({ spanRowId }) => spanRowId);
    int64('trace_row_id', ({ traceRowId }) => traceRowId);
    int64('model_id', ({ cost }) => cost.modelRowId);
    writer.numbers(
      'is_prompt',
      Uint8Array.from(chunk, ({ detail }) => (detail.isPrompt ? 1 : 0)),
    );
    int64('tokens', ({ detail }) => detail.tokens);
    int64('cost_pico', ({ detail }) => detail.costPico);
    const slice = { rows: null, from: 0, to: chunk.length };
    writer.texts('token_type', toTextColumn(chunk.map(({ detail }) => detail.tokenType)), slice);
    writer.append();
  }
  writer.flush();
}

interface DetailRow extends StoredCost {
  readonly detail: CostDetail;
}
