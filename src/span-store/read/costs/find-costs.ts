import type { SpanFilter } from '../../../filter/spans/span-filter.ts';
import type { CostBin, CostOwners, Costs, CostsOfModel, CostsOfType, ModelCostQuery } from '../../contract/costs.ts';
import type { BinQuery, RangeQuery } from '../../contract/query-terms.ts';
import { int32, int64, int64OrNull, text } from '../../duckdb/define-table.ts';
import { minMax } from '../../duckdb/row-range.ts';
import { type RowOfList, select, toBigint } from '../../duckdb/select-list.ts';
import { type Cell, Parameters, type SqlValue } from '../../duckdb/sql.ts';
import { binOf } from '../aggregates/bin-by-time.ts';
import { findRangeTotals } from '../aggregates/find-range-aggregates.ts';
import { projectIn, startsIn } from '../list-order.ts';
import { isFiltered, resolveFilter, resolveFilters } from '../match/filter-conditions.ts';
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
export async function findCosts(context: ReadContext, { of, rowIds }: CostOwners): Promise<Map<number, Costs>> {
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
  { of, rowIds }: CostOwners,
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
  for (const types of found.values()) types.sort(compareTypes);
  return found;
}

/** Main token types. Others follow by name. */
const TYPE_ORDER = ['input', 'output', 'cache_read', 'cache_write', 'reasoning', 'audio'];

function compareTypes(a: CostsOfType, b: CostsOfType): number {
  if (a.isPrompt !== b.isPrompt) return a.isPrompt ? -1 : 1;
  const rank = ({ tokenType }: CostsOfType) => TYPE_ORDER.indexOf(tokenType) + 1 || TYPE_ORDER.length + 1;
  return rank(a) - rank(b) || (a.tokenType < b.tokenType ? -1 : 1);
}

/** Costs of the traces that start in the range, or with a filter, of their matching spans. */
export async function sumUpCosts(context: ReadContext, query: RangeQuery): Promise<Costs> {
  const known = isFiltered(query) ? undefined : await findRangeTotals(context, 'traces', query);
  if (known) return toCosts(known.values.slice(2));
  const parameters = new Parameters();
  const table = query.filter ? 'spans' : 'traces';
  const conditions = [
    `project_id = ${parameters.integer(query.projectId)}`,
    ...(await resolveFilters(context, query, table, parameters)),
  ];
  const inRange = startsIn(query, parameters);
  if (table === 'traces') conditions.push(...inRange);
  else if (inRange.length > 0) {
    conditions.push(`trace_row_id IN (SELECT row_id FROM store.traces WHERE ${inRange.join(' AND ')})`);
  }
  const [sums = []] = await context.rows(
    `SELECT ${sumsOf('')} FROM store.${table} WHERE ${conditions.join(' AND ')}`,
    parameters,
  );
  return toCosts(sums);
}

const sumsOf = (table: string): string => SUM_COLUMNS.map((column) => `coalesce(sum(${table}${column}), 0)`).join(', ');

/** Costs by model. Models without spans in the range are absent. */
export async function sumUpModels(context: ReadContext, query: ModelCostQuery): Promise<Map<number, CostsOfModel>> {
  const parameters = new Parameters();
  const { projectId, filter } = query;
  const isMatch =
    filter && projectId !== undefined && (await resolveFilter(context, { projectId, filter }, parameters));
  const source = isMatch ? `(SELECT * FROM store.spans WHERE ${isMatch})` : 'store.spans';
  const rows = await context.rows(
    `SELECT s.cost_model_id, ${sumsOf('s.')}, max(s.start_ns) FROM ${source} s
     WHERE ${modelsIn('s.cost_model_id', 's.trace_row_id', query, parameters)} GROUP BY s.cost_model_id`,
    parameters,
  );
  return new Map(
    rows.map(([modelId, ...sums]) => [Number(modelId), { ...toCosts(sums), lastUsedUnixNano: toBigint(sums[4]) }]),
  );
}

export async function findCostsOfTypesOfModels(
  context: ReadContext,
  query: ModelCostQuery,
): Promise<Map<number, CostsOfType[]>> {
  const parameters = new Parameters();
  const rows = await select(
    context,
    typeSums('d.model_id'),
    `FROM store.cost_details d WHERE ${modelsIn('d.model_id', 'd.trace_row_id', query, parameters)} GROUP BY ALL`,
    parameters,
  );
  return toTypesByOwner(rows);
}

function modelsIn(
  model: string,
  trace: string,
  { projectId, projects, modelIds, ...range }: ModelCostQuery,
  parameters: Parameters,
): string {
  const conditions = [modelIds ? parameters.bigintIn(model, modelIds) : `${model} IS NOT NULL`];
  const ofTraces = startsIn(range, parameters);
  if (projectId !== undefined) ofTraces.push(`project_id = ${parameters.integer(projectId)}`);
  if (projects) ofTraces.push(projectIn(projects, parameters));
  if (ofTraces.length > 0) {
    conditions.push(`${trace} IN (SELECT row_id FROM store.traces WHERE ${ofTraces.join(' AND ')})`);
  }
  return conditions.join(' AND ');
}

/** Costs by bin of the start of the trace. */
export async function binCosts(context: ReadContext, query: BinQuery): Promise<CostBin[]> {
  if (query.filter) return binMatchingCosts(context, query, query.filter);
  const sums = new Parameters();
  const bins = await context.rows(
    `SELECT ${binOf(query, 'start_ns', sums)} AS bin, ${sumsOf('')} FROM store.traces
     WHERE ${inProject(query, '', sums)} AND cost_span_count > 0 GROUP BY bin ORDER BY bin`,
    sums,
  );
  const split = new Parameters();
  const details = await select(
    context,
    typeSums(`${binOf(query, 't.start_ns', split)} AS bin`),
    `FROM store.cost_details d JOIN store.traces t ON t.row_id = d.trace_row_id
     WHERE ${inProject(query, 't.', split)} GROUP BY bin, d.token_type, d.is_prompt`,
    split,
  );
  return toBins(bins, details);
}

/** Costs by bin, only of the spans that a filter selects. */
async function binMatchingCosts(context: ReadContext, query: BinQuery, filter: SpanFilter): Promise<CostBin[]> {
  const { projectId, startTimeUnixNano } = query;
  const matching = async (columns: string, parameters: Parameters) =>
    `(SELECT ${columns} FROM store.spans WHERE ${inProject({ ...query, startTimeUnixNano, endTimeUnixNano: undefined }, '', parameters)}
      AND cost_tokens_prompt IS NOT NULL AND ${await resolveFilter(context, { projectId, filter }, parameters)}) m
      JOIN store.traces t ON t.row_id = m.trace_row_id`;
  const sums = new Parameters();
  const bins = await context.rows(
    `SELECT ${binOf(query, 't.start_ns', sums)} AS bin, ${sumsOf('m.')} FROM ${await matching(`trace_row_id, ${SUMS}`, sums)}
     WHERE ${inProject(query, 't.', sums)} GROUP BY bin ORDER BY bin`,
    sums,
  );
  const split = new Parameters();
  const details = await select(
    context,
    typeSums(`${binOf(query, 't.start_ns', split)} AS bin`),
    `FROM store.cost_details d JOIN ${await matching('row_id, trace_row_id', split)} ON m.row_id = d.span_row_id
     WHERE ${inProject(query, 't.', split)} GROUP BY bin, d.token_type, d.is_prompt`,
    split,
  );
  return toBins(bins, details);
}

function toBins(bins: readonly SqlValue[][], details: readonly TypeSums[]): CostBin[] {
  const detailsOf = toTypesByOwner(details);
  return bins.map(([start, ...costs]) => ({
    startTimeUnixMicro: Number(start),
    ...toCosts(costs),
    details: detailsOf.get(Number(start)) ?? [],
  }));
}

const inProject = (query: BinQuery, table: '' | 't.', parameters: Parameters): string =>
  [
    `${table}project_id = ${parameters.integer(query.projectId)}`,
    ...startsIn(query, parameters).map((condition) => `${table}${condition}`),
  ].join(' AND ');

/** Condition on row ids, with their range for the zone maps. */
function rowIdIn(column: string, rowIds: readonly number[], parameters: Parameters): string {
  const [least, greatest] = minMax(rowIds);
  return `${column} BETWEEN ${parameters.bigint(least)} AND ${parameters.bigint(greatest)}
    AND ${parameters.bigintIn(column, rowIds)}`;
}
