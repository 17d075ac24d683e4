import type { Generated, GeneratedAlways } from 'kysely';
import type { Json, JsonWithDefault } from '../database/json-column.ts';

export interface DatasetTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: JsonWithDefault;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}

export interface DatasetVersionTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_id: number;
  readonly description: string | null;
  readonly metadata: JsonWithDefault;
  readonly created_at: Generated<Date>;
  /** Number of examples of the version. The ids below are its first and last, or null when it has none. */
  readonly example_count: number;
  readonly first_example_id: number | null;
  readonly last_example_id: number | null;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}

export interface DatasetExampleTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_id: number;
  readonly external_id: string | null;
  readonly span_row_id: number | null;
  readonly created_at: Generated<Date>;
}

export interface DatasetExampleRevisionTable {
  readonly id: GeneratedAlways<number>;
  readonly dataset_id: number;
  readonly dataset_example_id: number;
  readonly dataset_version_id: number;
  /** The version that replaced it; null while it is current. */
  readonly until_version_id: number | null;
  readonly revision_kind: 'CREATE' | 'PATCH' | 'DELETE';
  readonly input: Json;
  readonly output: Json;
  readonly metadata: Json;
  readonly content_hash: Buffer;
  readonly created_at: Generated<Date>;
}

export interface DatasetSplitTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
  readonly metadata: JsonWithDefault;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}

export interface DatasetSplitExampleTable {
  readonly dataset_split_id: number;
  readonly dataset_id: number;
  readonly dataset_example_id: number;
}

export interface DatasetLabelTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
  /** The author. Null without sign-in, and after the user was deleted. */
  readonly user_id: Generated<number | null>;
}

export interface DatasetsDatasetLabelTable {
  readonly dataset_id: number;
  readonly dataset_label_id: number;
}
