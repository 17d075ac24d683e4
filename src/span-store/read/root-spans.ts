import type { RootRule } from '../contract/query-terms.ts';

/**
 * One number that orders candidates by start, then descending row id. The root span of a trace has the lowest number.
 */
const RANK = '(start_ns::HUGEINT * 9223372036854775808 - row_id)';

interface RootScope {
  /** Condition on `spans` that is true for all spans of a trace or for none. */
  readonly scope: string;
  readonly rule: RootRule;
}

/**
 * SQL that selects `trace_row_id` and `row_id` of the root span of each trace in the scope.
 *
 * Nearly all spans with a parent ID start after the span without one, so they cannot be roots whatever their parent is.
 * The statement searches the parents of the other spans only.
 */
export function rootSpansSql({ scope, rule }: RootScope): string {
  const parentless = `SELECT trace_row_id, min(start_ns) AS start_ns, min(${RANK}) AS root_rank,
      arg_min(row_id, ${RANK}) AS row_id
    FROM store.spans WHERE ${scope} AND parent_span_id IS NULL GROUP BY trace_row_id`;
  if (rule === 'parentless') return `SELECT trace_row_id, row_id FROM (${parentless})`;
  return `WITH parentless AS MATERIALIZED (${parentless}), early AS MATERIALIZED (
      SELECT s.* FROM (
        SELECT trace_row_id, row_id, start_ns, parent_span_id FROM store.spans
        WHERE ${scope} AND parent_span_id IS NOT NULL
      ) s LEFT JOIN parentless p ON p.trace_row_id = s.trace_row_id WHERE p.start_ns IS NULL OR s.start_ns <= p.start_ns
    ), orphans AS (
      SELECT e.trace_row_id, e.start_ns, e.row_id FROM early e ANTI JOIN (
        SELECT trace_row_id, span_id FROM store.spans WHERE ${scope} AND trace_row_id IN (SELECT trace_row_id FROM early)
      ) s ON s.trace_row_id = e.trace_row_id AND s.span_id = e.parent_span_id
    )
    SELECT trace_row_id, arg_min(row_id, root_rank) AS row_id FROM (
      SELECT trace_row_id, root_rank, row_id FROM parentless
      UNION ALL SELECT trace_row_id, ${RANK}, row_id FROM orphans
    ) GROUP BY trace_row_id`;
}

/** Like `rootSpansSql`, for the few traces of a page. It takes less time to plan and more time per span. */
export function rootSpansOfFewSql({ scope, rule }: RootScope): string {
  const parentless = `SELECT trace_row_id, row_id, start_ns FROM store.spans WHERE ${scope} AND parent_span_id IS NULL`;
  const orphans = `SELECT s.trace_row_id, s.row_id, s.start_ns
    FROM (SELECT * FROM store.spans WHERE ${scope} AND parent_span_id IS NOT NULL) s
    ANTI JOIN (SELECT trace_row_id, span_id FROM store.spans WHERE ${scope}) p
      ON p.trace_row_id = s.trace_row_id AND p.span_id = s.parent_span_id`;
  const candidates = rule === 'parentless' ? parentless : `${parentless} UNION ALL ${orphans}`;
  return `SELECT trace_row_id, row_id FROM (${candidates})
    QUALIFY row_number() OVER (PARTITION BY trace_row_id ORDER BY start_ns, row_id DESC) = 1`;
}
