import type { DuckDBValue } from '@duckdb/node-api';
import { LATENCY_NS, overlaps, startsIn } from './list-order.ts';
import type { ProjectSums, QuantileQuery, RangeQuery, SessionSums, TraceSums } from './list-queries.ts';
import type { ReadContext } from './read-context.ts';
import { Parameters } from './sql.ts';

// Figures of projects. All but two come from the rollups of traces and sessions, which are some ten times fewer rows.

const LATENCY_MS = `${LATENCY_NS}::DOUBLE / 1e6`;

/** Projects by row id; those without traces are absent. */
export async function sumUpProjects(
  context: ReadContext,
  projectIds: readonly number[],
): Promise<Map<number, ProjectSums>> {
  const parameters = new Parameters();
  const rows = await context.rows(
    `SELECT project_id, count(*), sum(span_count), sum(tokens_prompt), sum(tokens_completion),
       min(start_ns), max(end_ns), max(start_ns)
     FROM store.traces WHERE ${parameters.bigintIn('project_id', projectIds)} GROUP BY project_id`,
    parameters,
  );
  return new Map(
    rows.map((row) => [
      Number(row[0]),
      {
        traceCount: Number(row[1]),
        spanCount: Number(row[2]),
        tokensPrompt: Number(row[3]),
        tokensCompletion: Number(row[4]),
        startTimeUnixNano: row[5] as bigint,
        endTimeUnixNano: row[6] as bigint,
        lastStartTimeUnixNano: row[7] as bigint,
      },
    ]),
  );
}

/** Spans that start in the range. */
export async function countSpans(context: ReadContext, query: RangeQuery): Promise<number> {
  const parameters = new Parameters();
  const conditions = [`project_id = ${parameters.integer(query.projectId)}`, ...startsIn(query, parameters)];
  const isWhole = query.startTimeUnixNano === undefined && query.endTimeUnixNano === undefined;
  const select = isWhole ? 'coalesce(sum(span_count), 0) FROM store.traces' : 'count(*) FROM store.spans';
  const [[count] = []] = await context.rows(`SELECT ${select} WHERE ${conditions.join(' AND ')}`, parameters);
  return Number(count);
}

export async function sumUpTraces(context: ReadContext, query: RangeQuery): Promise<TraceSums> {
  const parameters = new Parameters();
  const conditions = [`project_id = ${parameters.integer(query.projectId)}`, ...startsIn(query, parameters)];
  const [[count, prompt, completion] = []] = await context.rows(
    `SELECT count(*), coalesce(sum(tokens_prompt), 0), coalesce(sum(tokens_completion), 0) FROM store.traces
     WHERE ${conditions.join(' AND ')}`,
    parameters,
  );
  return { traceCount: Number(count), tokensPrompt: Number(prompt), tokensCompletion: Number(completion) };
}

export async function sumUpSessions(context: ReadContext, query: RangeQuery): Promise<SessionSums> {
  const parameters = new Parameters();
  const conditions = [`project_id = ${parameters.integer(query.projectId)}`, ...overlaps(query, parameters)];
  const [[count, duration, traces] = []] = await context.rows(
    `SELECT count(*), avg(${LATENCY_MS}), avg(trace_count) FROM store.sessions WHERE ${conditions.join(' AND ')}`,
    parameters,
  );
  return {
    sessionCount: Number(count),
    averageDurationMs: duration as number | null,
    averageTraceCount: traces as number | null,
  };
}

/** Interpolated quantiles of durations in ms, in the order asked for; undefined when there is nothing. */
export async function findQuantiles(context: ReadContext, query: QuantileQuery): Promise<number[] | undefined> {
  const parameters = new Parameters();
  const inRange = query.of === 'sessions' ? overlaps(query, parameters) : startsIn(query, parameters);
  const conditions = [`project_id = ${parameters.integer(query.projectId)}`, ...inRange];
  const [[quantiles] = []] = await context.rows(
    `SELECT quantile_cont(${LATENCY_MS}, ${quantileList(query.probabilities)}) FROM store.${query.of}
     WHERE ${conditions.join(' AND ')}`,
    parameters,
  );
  return toNumbers(quantiles!);
}

/** Written into the text, which takes no bound values there; they are numbers, checked to be 0 to 1. */
export const quantileList = (probabilities: readonly number[]): string =>
  `[${probabilities.map((probability) => `${Math.min(1, Math.max(0, Number(probability)))}::DOUBLE`).join(', ')}]`;

export const toNumbers = (list: DuckDBValue): number[] | undefined =>
  list === null ? undefined : [...(list as { items: readonly DuckDBValue[] }).items].map(Number);
