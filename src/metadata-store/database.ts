import { type ColumnType, type Generated, type GeneratedAlways, Kysely, type LogEvent, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Log } from '../base/log.ts';
import type { AnnotationConfigType, OptimizationDirection } from '../model/annotation-config.ts';
import { withCallerErrors } from './pool-errors.ts';
import type {
  PromptLabelLinkTable,
  PromptLabelTable,
  PromptTable,
  PromptVersionTable,
  PromptVersionTagTable,
} from './prompt-tables.ts';

/** The metadata tables as they are after every migration. A row id is a bigint in Postgres and stays below 2^53. */
export interface Database {
  readonly projects: ProjectTable;
  readonly prompts: PromptTable;
  readonly prompt_versions: PromptVersionTable;
  readonly prompt_version_tags: PromptVersionTagTable;
  readonly prompt_labels: PromptLabelTable;
  readonly prompts_prompt_labels: PromptLabelLinkTable;
  readonly annotation_configs: AnnotationConfigTable;
  readonly project_annotation_configs: ProjectAnnotationConfigTable;
  readonly generative_models: GenerativeModelTable;
  readonly token_prices: TokenPriceTable;
  readonly cost_recomputations: CostRecomputationTable;
}

export interface ProjectTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly gradient_start_color: Generated<string>;
  readonly gradient_end_color: Generated<string>;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

export interface AnnotationConfigTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly type: AnnotationConfigType;
  readonly optimization_direction: OptimizationDirection | null;
  readonly threshold: number | null;
  readonly lower_bound: number | null;
  readonly upper_bound: number | null;
  /** A list of `CategoricalValue`; goes in as JSON text. */
  readonly values: ColumnType<unknown, string, string>;
}

export interface ProjectAnnotationConfigTable {
  readonly project_id: number;
  readonly annotation_config_id: number;
}

export interface GenerativeModelTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  /** Empty: any. */
  readonly provider: string;
  readonly name_pattern: string;
  readonly is_built_in: boolean;
  readonly start_time: Date | null;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
  readonly deleted_at: Generated<Date | null>;
}

export interface TokenPriceTable {
  readonly id: GeneratedAlways<number>;
  readonly model_id: number;
  readonly token_type: string;
  readonly is_prompt: boolean;
  /** US dollars for one token. */
  readonly base_rate: number;
  /** JSON: `{"type": "threshold_based", "key", "threshold", "new_rate"}`, or something that is kept. */
  readonly customization: ColumnType<unknown, string | null, string | null>;
}

export interface CostRecomputationTable {
  readonly id: GeneratedAlways<number>;
  readonly project_id: number | null;
  readonly next_span_row_id: number;
  readonly last_span_row_id: number | null;
  readonly created_at: Generated<Date>;
  readonly ended_at: Generated<Date | null>;
}

/** A pool or, inside a transaction, its one connection. */
export type Db = Kysely<Database>;

/** Every table, and each after those that it refers to: the order in which rows can be copied. */
export const TABLE_NAMES = [
  'projects',
  'prompts',
  'prompt_versions',
  'prompt_version_tags',
  'prompt_labels',
  'prompts_prompt_labels',
  'annotation_configs',
  'project_annotation_configs',
  'generative_models',
  'token_prices',
  'cost_recomputations',
] as const satisfies readonly (keyof Database)[];

/** Kysely on a pool, which stays its opener's to end. With `logSql`, statements are logged without their values. */
export function openDb<Tables = Database>(
  pool: Pool,
  { log, logSql }: { readonly log: Log; readonly logSql?: boolean },
): Kysely<Tables> {
  const dialect = new PostgresDialect({ pool: withCallerErrors(pool) });
  if (!logSql) return new Kysely<Tables>({ dialect });
  const logStatement = ({ query, queryDurationMillis }: LogEvent) =>
    log.info({ sql: query.sql, durationMs: Math.round(queryDurationMillis * 1_000) / 1_000 }, 'SQL');
  return new Kysely<Tables>({ dialect, log: logStatement });
}
