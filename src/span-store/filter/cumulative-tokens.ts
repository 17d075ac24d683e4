/**
 * A table of tokens of spans including all their stored descendants in the same trace, like `cumulateSpans`: from each
 * span with tokens up to its ancestors, each once, so that cycles end. Columns: `cumulative_row`, `cumulative_prompt`,
 * `cumulative_completion`. A span without tokens at or below it has no row.
 *
 * @param chosen a condition on rows of `spans`, which selects the traces by their spans.
 */
export const cumulativeTokens = (chosen: string): string => `(
  WITH RECURSIVE chosen_traces AS (
    SELECT DISTINCT trace_row_id FROM store.spans WHERE ${chosen}
  ), nodes AS MATERIALIZED (
    SELECT row_id, trace_row_id, span_id, parent_span_id, coalesce(tokens_prompt, 0) AS prompt,
      coalesce(tokens_completion, 0) AS completion
    FROM store.spans
    WHERE row_id BETWEEN (SELECT min(first_span_row_id) FROM store.traces t
        WHERE t.row_id IN (SELECT trace_row_id FROM chosen_traces))
      AND (SELECT max(last_span_row_id) FROM store.traces t
        WHERE t.row_id IN (SELECT trace_row_id FROM chosen_traces))
      AND trace_row_id IN (SELECT trace_row_id FROM chosen_traces)
  ), ancestors AS (
    SELECT row_id AS source, row_id AS reached, trace_row_id AS of_trace, parent_span_id AS above
    FROM nodes WHERE prompt <> 0 OR completion <> 0
    UNION
    SELECT source, n.row_id, n.trace_row_id, n.parent_span_id
    FROM ancestors JOIN nodes n ON n.trace_row_id = of_trace AND n.span_id = above
  )
  SELECT reached AS cumulative_row, sum(prompt) AS cumulative_prompt, sum(completion) AS cumulative_completion
  FROM ancestors JOIN nodes s ON s.row_id = source GROUP BY reached
)`;
