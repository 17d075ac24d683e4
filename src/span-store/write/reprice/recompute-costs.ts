import { SPAN_KINDS } from '../../../semconv/span-kinds.ts';
import type { PriceTable } from '../../../model/models/price-table.ts';
import type { SpanCost } from '../../../model/models/span-cost.ts';
import type { CostChange } from '../../contract/cost-change.ts';
import { type ChunkWriter, VECTOR_ROW_COUNT } from '../../duckdb/chunk-writer.ts';
import { type StoredCost, writeCostDetails } from '../../duckdb/cost-details.ts';
import { bigint64, int64, text, textOrNull } from '../../duckdb/define-table.ts';
import { select } from '../../duckdb/select-list.ts';
import { type Connection, Parameters, queryRows, statementsOf } from '../../duckdb/sql.ts';
import { PRICED_KINDS, priceSpan } from '../append/price-spans.ts';
import { recomputeSums } from '../delete/delete-spans.ts';

export async function readPrices(connection: Connection): Promise<string> {
  const [row] = await select(statementsOf(connection), { models: text('models') }, 'FROM store.prices');
  return row?.models ?? '[]';
}

export async function writePrices(connection: Connection, models: string): Promise<void> {
  const parameters = new Parameters();
  await queryRows(connection, `UPDATE store.prices SET models = ${parameters.text(models)}`, parameters);
}

export interface RecomputeWriters {
  /** Writer of `temp.cost_changes`. */
  readonly changes: ChunkWriter;
  readonly details: ChunkWriter;
}

/**
 * Reprices stored spans in the running transaction, with the aggregates of their traces and sessions. Doing it twice
 * changes nothing. Returns how many spans it looked at.
 */
export async function recomputeCosts(
  connection: Connection,
  writers: RecomputeWriters,
  prices: PriceTable,
  range: Extract<CostChange, { what: 'recompute' }>,
): Promise<number> {
  const spans = await readPricedSpans(connection, prices, range);
  if (spans.length === 0) return 0;
  await connection.run('DELETE FROM temp.cost_changes');
  await writeChanges(writers.changes, spans);
  const update = new Parameters();
  await queryRows(
    connection,
    `UPDATE store.spans s SET cost_model_id = c.cost_model_id, cost_tokens_prompt = c.cost_tokens_prompt,
       cost_tokens_completion = c.cost_tokens_completion, cost_prompt_pico = c.cost_prompt_pico,
       cost_completion_pico = c.cost_completion_pico
     FROM temp.cost_changes c
     WHERE s.row_id = c.row_id AND s.row_id BETWEEN ${update.bigint(range.firstRowId)} AND ${update.bigint(range.lastRowId)}`,
    update,
  );
  const old = new Parameters();
  await queryRows(
    connection,
    `DELETE FROM store.cost_details WHERE span_row_id IN (SELECT row_id FROM temp.cost_changes)
       AND span_row_id BETWEEN ${old.bigint(range.firstRowId)} AND ${old.bigint(range.lastRowId)}`,
    old,
  );
  await writeCostDetails(writers.details, spans.filter(hasCost));
  await recomputeSums(connection, [...new Set(spans.map(({ traceRowId }) => traceRowId))]);
  return spans.length;
}

interface PricedRow extends Omit<StoredCost, 'cost'> {
  readonly cost: SpanCost | undefined;
}

const hasCost = (row: PricedRow): row is PricedRow & StoredCost => row.cost !== undefined;

/** OpenInference names the model of an embedding apart. */
const MODEL_NAME = `coalesce(model_name, CASE WHEN span_kind = ${SPAN_KINDS.indexOf('EMBEDDING')}
  THEN TRY(json_extract_string(attributes, '$.embedding.model_name')) END)`;

const PRICED_SPAN = {
  spanRowId: int64('row_id'),
  traceRowId: int64('trace_row_id'),
  modelName: text(MODEL_NAME),
  provider: textOrNull('provider'),
  start: bigint64('start_ns'),
  tokenCounts: textOrNull("TRY(json_extract(attributes, '$.llm.token_count'))::VARCHAR"),
};

async function readPricedSpans(
  connection: Connection,
  prices: PriceTable,
  { firstRowId, lastRowId, projectId }: Extract<CostChange, { what: 'recompute' }>,
): Promise<PricedRow[]> {
  const parameters = new Parameters();
  const rows = await select(
    statementsOf(connection),
    PRICED_SPAN,
    `FROM store.spans
     WHERE row_id BETWEEN ${parameters.bigint(firstRowId)} AND ${parameters.bigint(lastRowId)}
       AND span_kind IN (${PRICED_KINDS.join(', ')}) AND ${MODEL_NAME} IS NOT NULL
       ${projectId === null ? '' : `AND project_id = ${parameters.integer(projectId)}`} ORDER BY row_id`,
    parameters,
  );
  return rows.map(({ spanRowId, traceRowId, tokenCounts, ...span }) => ({
    spanRowId,
    traceRowId,
    cost: priceSpan(prices, { ...span, tokenCounts: tokenCounts ?? undefined }),
  }));
}

async function writeChanges(writer: ChunkWriter, rows: readonly PricedRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += VECTOR_ROW_COUNT) {
    const chunk = rows.slice(from, from + VECTOR_ROW_COUNT);
    await writer.begin(chunk.length);
    const int64 = (name: string, of: (row: PricedRow) => number | null | undefined) =>
      writer.numbers(
        name,
        BigInt64Array.from(chunk, (row) => BigInt(of(row) ?? 0)),
        Uint8Array.from(chunk, (row) => (typeof of(row) === 'number' ? 1 : 0)),
      );
    int64('row_id', ({ spanRowId }) => spanRowId);
    int64('cost_model_id', ({ cost }) => cost?.modelRowId);
    int64('cost_tokens_prompt', ({ cost }) => cost?.tokensPrompt);
    int64('cost_tokens_completion', ({ cost }) => cost?.tokensCompletion);
    int64('cost_prompt_pico', ({ cost }) => cost?.promptPico);
    int64('cost_completion_pico', ({ cost }) => cost?.completionPico);
    writer.append();
  }
  writer.flush();
}
