/** SQL condition on a row of `spans`: any span of its trace has the status ERROR. Never NULL. */
export const errorInTraceSql = (projectId: string): string =>
  `(trace_row_id IN (SELECT row_id FROM store.traces WHERE project_id = ${projectId} AND error_count > 0))`;
