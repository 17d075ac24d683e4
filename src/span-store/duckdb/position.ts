import { type Connection, Parameters, queryRows } from './sql.ts';

/** Row ids of the next rows. */
export interface NextRowIds {
  readonly span: number;
  readonly trace: number;
  readonly session: number;
  readonly annotation: number;
}

/** Progress of the store: the applied journal position, and the row ids of the next rows. */
export interface StorePosition {
  readonly applied: number;
  readonly nextRowIds: NextRowIds;
}

export async function readPosition(connection: Connection): Promise<StorePosition> {
  const [row] = await queryRows(
    connection,
    'SELECT applied, next_span_row_id, next_trace_row_id, next_session_row_id, next_annotation_row_id FROM store.position',
  );
  if (!row) throw new Error('the span store has no position');
  const [applied, span, trace, session, annotation] = row;
  return {
    applied: Number(applied),
    nextRowIds: {
      span: Number(span),
      trace: Number(trace),
      session: Number(session),
      annotation: Number(annotation),
    },
  };
}

export async function writePosition(
  connection: Connection,
  { applied, nextRowIds: next }: StorePosition,
): Promise<void> {
  const parameters = new Parameters();
  await queryRows(
    connection,
    `UPDATE store.position SET applied = ${parameters.bigint(applied)}, next_span_row_id = ${parameters.bigint(next.span)},
       next_trace_row_id = ${parameters.bigint(next.trace)}, next_session_row_id = ${parameters.bigint(next.session)},
       next_annotation_row_id = ${parameters.bigint(next.annotation)}`,
    parameters,
  );
}
