import { ANNOTATION_SOURCES, ANNOTATOR_KINDS } from '../../../model/annotations/annotation.ts';
import type { AnnotationChange } from '../../contract/annotations.ts';
import { type Connection, Parameters, queryRows } from '../../duckdb/sql.ts';

/** A small number, because users change annotations one by one. */
export async function changeAnnotations(connection: Connection, changes: readonly AnnotationChange[]): Promise<void> {
  for (const change of changes) {
    const parameters = new Parameters();
    const nullable = (value: string | null) => (value === null ? 'NULL' : parameters.text(value));
    const [rowId, name, identifier] = [
      parameters.bigint(change.rowId),
      parameters.text(change.name),
      parameters.text(change.identifier),
    ];
    await queryRows(
      connection,
      `UPDATE store.annotations AS a SET name = ${name}, identifier = ${identifier},
         annotator_kind = ${parameters.utinyint(ANNOTATOR_KINDS.indexOf(change.annotatorKind))},
         source = ${parameters.utinyint(ANNOTATION_SOURCES.indexOf(change.source))},
         label = ${nullable(change.label)}, explanation = ${nullable(change.explanation)},
         score = ${change.score === null ? 'NULL' : parameters.double(change.score)},
         metadata = ${parameters.text(change.metadata)}, updated_ms = ${parameters.bigint(change.updatedAtMs)}
       WHERE a.row_id = ${rowId} AND NOT EXISTS (FROM store.annotations b WHERE b.row_id <> a.row_id
         AND b.target = a.target AND b.target_row_id = a.target_row_id
         AND b.document_position IS NOT DISTINCT FROM a.document_position
         AND b.name = ${name} AND b.identifier = ${identifier})`,
      parameters,
    );
  }
}
