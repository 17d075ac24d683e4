import type { Generated, GeneratedAlways } from 'kysely';
import type { Json, JsonWithDefault } from '../database/json-column.ts';

/** The mapping that a project used last. */
export interface SpanMappingTable {
  readonly project_id: number;
  readonly mapping: Json;
  readonly updated_at: Generated<Date>;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}

export interface DatasetSourceTable {
  readonly id: GeneratedAlways<number>;
  readonly project_id: number;
  readonly dataset_id: number;
  readonly name: string;
  readonly filter: string;
  readonly mapping: Json;
  readonly split_names: JsonWithDefault;
  readonly last_span_row_id: Generated<number>;
  readonly created_at: Generated<Date>;
  readonly added_at: Date | null;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}

/** Spans that a source with a condition on annotations has used: such a span may match long after its arrival. */
export interface DatasetSourceSpanTable {
  readonly source_id: number;
  readonly span_row_id: number;
}
