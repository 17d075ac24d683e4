import { type CostOwner, type Costs, type CostsOfType, compareTokenTypes } from '../../contract/costs.ts';
import { int32, int64, int64OrNull, text } from '../../duckdb/define-table.ts';
import { minMax } from '../../duckdb/row-range.ts';
import { type RowOfList, select } from '../../duckdb/select-list.ts';
import { type Cell, Parameters, type SqlValue } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';
import { recentRows } from '../rows/read-rows.ts';

const SUM_COLUMNS = [
  'cost_tokens_prompt',
  'cost_tokens_completion',
  'cost_prompt_pico',
  'cost_completion_pico',
] as const;
const SUMS = SUM_COLUMNS.join(', ');
const HAS_COST = {
  spans: 'cost_tokens_prompt IS NOT NULL',
  traces: 'cost_span_count > 0',
  sessions: 'cost_span_count > 0',
} as const;

/** Costs by row id of the owner. */
export async function findCosts(
  context: ReadContext,
  of: CostOwner,
  rowIds: readonly number[],
): Promise<Map<number, Costs>> {
  const found = new Map<number, Costs>();
  const recent = recentRows(context, SUM_COLUMNS, of === 'spans' ? rowIds : []);
  for (const [rowId, row] of recent) {
    if (row.cost_tokens_prompt !== null) found.set(rowId, toCosts(SUM_COLUMNS.map((name) => row[name])));
  }
  const others = rowIds.filter((rowId) => !recent.has(rowId));
  if (others.length === 0) return found;
  const parameters = new Parameters();
  const rows = await context.rows(
    `SELECT row_id, ${SUMS} FROM store.${of} WHERE ${rowIdIn('row_id', others, parameters)} AND ${HAS_COST[of]}`,
    parameters,
  );
  for (const [rowId, ...sums] of rows) found.set(Number(rowId), toCosts(sums));
  return found;
}

const toCosts = ([prompt, completion, promptPico, completionPico]: SqlValue[]): Costs => ({
  tokensPrompt: Number(prompt),
  tokensCompletion: Number(completion),
  promptPico: toNumber(promptPico),
  completionPico: toNumber(completionPico),
});

const toNumber = (value: Cell): number | null => (value === null || value === undefined ? null : Number(value));

/** Owner column of `cost_details`, and the join that provides it. */
const OWNERS = {
  spans: { owner: 'd.span_row_id', join: '' },
  traces: { owner: 'd.trace_row_id', join: '' },
  sessions: { owner: 't.session_row_id', join: 'JOIN store.traces t ON t.row_id = d.trace_row_id' },
} as const;
/** Sums of cost details by token type. `owner` is SQL text of the number of what has the costs, or of a bin. */
const typeSums = (owner: string) => ({
  owner: int64(owner),
  tokenType: text('d.token_type'),
  isPrompt: int32('d.is_prompt'),
  tokens: int64('sum(d.tokens)'),
  pico: int64OrNull('sum(d.cost_pico)'),
});
type TypeSums = RowOfList<ReturnType<typeof typeSums>>;

export async function findCostsOfTypes(
  context: ReadContext,
  of: CostOwner,
  rowIds: readonly number[],
): Promise<Map<number, CostsOfType[]>> {
  if (rowIds.length === 0) return new Map();
  const { owner, join } = OWNERS[of];
  const parameters = new Parameters();
  const rows = await select(
    context,
    typeSums(owner),
    `FROM store.cost_details d ${join} WHERE ${rowIdIn(owner, rowIds, parameters)} GROUP BY ALL`,
    parameters,
  );
  return toTypesByOwner(rows);
}

function toTypesByOwner(rows: readonly TypeSums[]): Map<number, CostsOfType[]> {
  const found = new Map<number, CostsOfType[]>();
  for (const { owner, isPrompt, ...sums } of rows) {
    const types = found.get(owner) ?? [];
    found.set(owner, types);
    types.push({ ...sums, isPrompt: isPrompt === 1 });
  }
  for (const types of found.values()) types.sort(compareTokenTypes);
  return found;
}

/** Condition on row ids, with their range for the zone maps. */
function rowIdIn(column: string, rowIds: readonly number[], parameters: Parameters): string {
  const [least, greatest] = minMax(rowIds);
  return `${column} BETWEEN ${parameters.bigint(least)} AND ${parameters.bigint(greatest)}
    AND ${parameters.bigintIn(column, rowIds)}`;
}
