import type { ConfigRef, ProjectRef, RowRef } from '../../domain/domain.ts';
import { configRowIdOf } from './config-ids.ts';
import { rowIdOf } from './global-id.ts';

/** A project by its global ID, otherwise by its name. A global ID of another type is a name. */
export function toProjectRef(text: string): ProjectRef {
  const rowId = rowIdOf('Project', text);
  return rowId === undefined ? { name: text } : { rowId };
}

/** A span, trace or session by its global ID, otherwise by the ID that the application or OpenTelemetry gave it. */
export function toRowRef(type: 'Span' | 'Trace' | 'ProjectSession', text: string): RowRef {
  const rowId = rowIdOf(type, text);
  return rowId === undefined ? { id: text } : { rowId };
}

/** An annotation config by its global ID, otherwise by its name. */
export function toConfigRef(text: string): ConfigRef {
  const rowId = configRowIdOf(text);
  return rowId === undefined ? { name: text } : { rowId };
}
