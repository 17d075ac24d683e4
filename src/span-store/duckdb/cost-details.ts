// biome-ignore-all lint/style/noNonNullAssertion: there is one more offset than rows.
import type { CostDetail, SpanCost } from '../../model/models/span-cost.ts';
import type { NullableTextColumn } from '../../columns/span-columns.ts';
import { type ChunkWriter, setInt64, VECTOR_ROW_COUNT } from './chunk-writer.ts';

/** The cost row of a stored span. */
export interface StoredCost {
  readonly spanRowId: number;
  readonly traceRowId: number;
  readonly cost: SpanCost;
}

/** Appends the details of costs to `cost_details`. */
export async function writeCostDetails(writer: ChunkWriter, costs: readonly StoredCost[]): Promise<void> {
  const chunk = new DetailChunk();
  for (const stored of costs) {
    for (const detail of stored.cost.details) {
      chunk.add(stored, detail);
      if (chunk.count === VECTOR_ROW_COUNT) await chunk.append(writer);
    }
  }
  await chunk.append(writer);
  writer.flush();
}

/** Rows of one data chunk. Its 64-bit numbers are pairs of words, because BigInts would double the cost. */
class DetailChunk {
  count = 0;
  readonly #spanRowIds = new Uint32Array(2 * VECTOR_ROW_COUNT);
  readonly #traceRowIds = new Uint32Array(2 * VECTOR_ROW_COUNT);
  readonly #modelIds = new Uint32Array(2 * VECTOR_ROW_COUNT);
  readonly #hasModel = new Uint8Array(VECTOR_ROW_COUNT);
  readonly #isPrompt = new Uint8Array(VECTOR_ROW_COUNT);
  readonly #tokens = new Uint32Array(2 * VECTOR_ROW_COUNT);
  readonly #costs = new Uint32Array(2 * VECTOR_ROW_COUNT);
  readonly #hasCost = new Uint8Array(VECTOR_ROW_COUNT);
  readonly #tokenTypes: string[] = [];

  add({ spanRowId, traceRowId, cost }: StoredCost, { tokenType, isPrompt, tokens, costPico }: CostDetail): void {
    const index = this.count++;
    setInt64(this.#spanRowIds, index, spanRowId);
    setInt64(this.#traceRowIds, index, traceRowId);
    setInt64(this.#modelIds, index, cost.modelRowId ?? 0);
    this.#hasModel[index] = cost.modelRowId === null ? 0 : 1;
    this.#isPrompt[index] = isPrompt ? 1 : 0;
    setInt64(this.#tokens, index, tokens);
    setInt64(this.#costs, index, costPico ?? 0);
    this.#hasCost[index] = costPico === null ? 0 : 1;
    this.#tokenTypes.push(tokenType);
  }

  /** Writes the rows, and clears the chunk. */
  async append(writer: ChunkWriter): Promise<void> {
    const { count } = this;
    if (count === 0) return;
    await writer.begin(count);
    writer.numbers('span_row_id', this.#spanRowIds.subarray(0, 2 * count));
    writer.numbers('trace_row_id', this.#traceRowIds.subarray(0, 2 * count));
    writer.numbers('model_id', this.#modelIds.subarray(0, 2 * count), this.#hasModel.subarray(0, count));
    writer.numbers('is_prompt', this.#isPrompt.subarray(0, count));
    writer.numbers('tokens', this.#tokens.subarray(0, 2 * count));
    writer.numbers('cost_pico', this.#costs.subarray(0, 2 * count), this.#hasCost.subarray(0, count));
    writer.texts('token_type', fewTexts(this.#tokenTypes), { rows: null, from: 0, to: count });
    writer.append();
    this.count = 0;
    this.#tokenTypes.length = 0;
  }
}

/** A column of texts with few distinct values. */
function fewTexts(texts: readonly string[]): NullableTextColumn {
  const parts = new Map<string, Buffer>();
  const offset = new Uint32Array(texts.length + 1);
  const all = texts.map((text, row) => {
    let part = parts.get(text);
    if (!part) {
      part = Buffer.from(text);
      parts.set(text, part);
    }
    offset[row + 1] = offset[row]! + part.length;
    return part;
  });
  return { utf8: new Uint8Array(Buffer.concat(all)), offset, present: new Uint8Array(texts.length).fill(1) };
}
