import { type Generated, Kysely, type LogEvent, PostgresDialect, type PostgresPool } from 'kysely';
import type { Pool } from 'pg';
import type { Log } from '../../base/log.ts';
import type {
  ApiKeyTable,
  AuditLogTable,
  CredentialChangeTable,
  OAuth2AuthorizationCodeTable,
  OAuth2ClientTable,
  OAuth2GrantTable,
  PasswordResetTokenTable,
  ScimGroupMemberTable,
  ScimGroupTable,
  SecretTable,
  SentMailTable,
  SessionTable,
  SignInFailureTable,
  TokenTable,
  UserIdentityTable,
  UserTable,
} from '../access/access-tables.ts';
import type { CalibrationItemTable, CalibrationTable } from '../calibrations/calibration-tables.ts';
import type { DashboardTable } from '../dashboards/dashboard-tables.ts';
import type {
  DatasetSourceSpanTable,
  DatasetSourceTable,
  SpanMappingTable,
} from '../dataset-sources/dataset-source-tables.ts';
import type {
  DatasetExampleRevisionTable,
  DatasetExampleTable,
  DatasetLabelTable,
  DatasetSplitExampleTable,
  DatasetSplitTable,
  DatasetsDatasetLabelTable,
  DatasetTable,
  DatasetVersionTable,
} from '../datasets/dataset-tables.ts';
import type {
  BuiltInEvaluatorTable,
  CodeEvaluatorTable,
  CodeVersionTable,
  DatasetEvaluatorTable,
  EvaluatorTable,
  ExperimentDatasetEvaluatorTable,
  LlmEvaluatorTable,
} from '../evaluators/evaluator-tables.ts';
import type {
  CachedResponseTable,
  ExperimentJobTable,
  ExperimentLogTable,
  ExperimentPromptTaskTable,
} from '../experiment-jobs/experiment-job-tables.ts';
import type {
  ExperimentEvaluationTable,
  ExperimentExampleTable,
  ExperimentNoteTable,
  ExperimentRunAnnotationTable,
  ExperimentRunPreferenceTable,
  ExperimentRunTable,
  ExperimentSplitTable,
  ExperimentSummaryTable,
  ExperimentTable,
  ExperimentTagTable,
} from '../experiments/experiment-tables.ts';
import type { IdempotencyKeyTable } from '../idempotency/idempotency-tables.ts';
import type {
  CostRecomputationTable,
  CustomProviderTable,
  GenerativeModelTable,
  TokenPriceTable,
} from '../models/model-tables.ts';
import type {
  OnlineBackfillTable,
  OnlineDayTable,
  OnlineEvaluatorTable,
  OnlineItemTable,
} from '../online-evaluators/online-evaluator-tables.ts';
import type {
  AnnotationConfigTable,
  DeletedProjectTable,
  ProjectAnnotationConfigTable,
  ProjectMemberTable,
  ProjectTable,
  RetentionPolicyTable,
  SavedViewTable,
} from '../projects/project-tables.ts';
import type {
  PromptLabelLinkTable,
  PromptLabelTable,
  PromptTable,
  PromptTagMoveTable,
  PromptVersionTable,
  PromptVersionTagTable,
} from '../prompts/prompt-tables.ts';
import type { SandboxConfigTable, SandboxProviderTable } from '../sandboxes/sandbox-tables.ts';
import { CopyCursor } from './copy-cursor.ts';
import { withCallerErrors } from './pool-errors.ts';

/** The metadata tables as they are after every migration. A row id is a bigint in Postgres and stays below 2^53. */
export interface Database {
  readonly project_trace_retention_policies: RetentionPolicyTable;
  readonly projects: ProjectTable;
  readonly project_members: ProjectMemberTable;
  readonly datasets: DatasetTable;
  readonly dataset_versions: DatasetVersionTable;
  readonly dataset_examples: DatasetExampleTable;
  readonly dataset_example_revisions: DatasetExampleRevisionTable;
  readonly dataset_splits: DatasetSplitTable;
  readonly dataset_split_examples: DatasetSplitExampleTable;
  readonly dataset_labels: DatasetLabelTable;
  readonly datasets_dataset_labels: DatasetsDatasetLabelTable;
  readonly span_mappings: SpanMappingTable;
  readonly dataset_sources: DatasetSourceTable;
  readonly dataset_source_spans: DatasetSourceSpanTable;
  readonly experiments: ExperimentTable;
  readonly experiment_examples: ExperimentExampleTable;
  readonly experiment_splits: ExperimentSplitTable;
  readonly experiment_summaries: ExperimentSummaryTable;
  readonly experiment_notes: ExperimentNoteTable;
  readonly experiment_runs: ExperimentRunTable;
  readonly experiment_evaluations: ExperimentEvaluationTable;
  readonly experiment_run_annotations: ExperimentRunAnnotationTable;
  readonly experiment_run_preferences: ExperimentRunPreferenceTable;
  readonly experiment_tags: ExperimentTagTable;
  readonly deleted_projects: DeletedProjectTable;
  readonly generative_model_custom_providers: CustomProviderTable;
  readonly prompts: PromptTable;
  readonly prompt_versions: PromptVersionTable;
  readonly prompt_version_tags: PromptVersionTagTable;
  readonly prompt_tag_moves: PromptTagMoveTable;
  readonly prompt_labels: PromptLabelTable;
  readonly prompts_prompt_labels: PromptLabelLinkTable;
  readonly annotation_configs: AnnotationConfigTable;
  readonly project_annotation_configs: ProjectAnnotationConfigTable;
  readonly generative_models: GenerativeModelTable;
  readonly token_prices: TokenPriceTable;
  readonly cost_recomputations: CostRecomputationTable;
  readonly saved_views: SavedViewTable;
  readonly dashboards: DashboardTable;
  readonly calibrations: CalibrationTable;
  readonly calibration_items: CalibrationItemTable;
  readonly evaluators: EvaluatorTable;
  readonly llm_evaluators: LlmEvaluatorTable;
  readonly builtin_evaluators: BuiltInEvaluatorTable;
  readonly code_evaluators: CodeEvaluatorTable;
  readonly code_evaluator_code_versions: CodeVersionTable;
  readonly sandbox_providers: SandboxProviderTable;
  readonly sandbox_configs: SandboxConfigTable;
  readonly dataset_evaluators: DatasetEvaluatorTable;
  readonly experiment_dataset_evaluators: ExperimentDatasetEvaluatorTable;
  readonly experiment_jobs: ExperimentJobTable;
  readonly cached_responses: CachedResponseTable;
  readonly experiment_prompt_tasks: ExperimentPromptTaskTable;
  readonly experiment_logs: ExperimentLogTable;
  readonly online_evaluators: OnlineEvaluatorTable;
  readonly online_items: OnlineItemTable;
  readonly online_days: OnlineDayTable;
  readonly online_backfills: OnlineBackfillTable;
  readonly installation: InstallationTable;
  readonly users: UserTable;
  readonly scim_groups: ScimGroupTable;
  readonly scim_group_members: ScimGroupMemberTable;
  readonly user_identities: UserIdentityTable;
  readonly sign_in_failures: SignInFailureTable;
  readonly sent_mails: SentMailTable;
  readonly oauth2_clients: OAuth2ClientTable;
  readonly oauth2_grants: OAuth2GrantTable;
  readonly oauth2_authorization_codes: OAuth2AuthorizationCodeTable;
  readonly sessions: SessionTable;
  readonly refresh_tokens: TokenTable;
  readonly access_tokens: TokenTable;
  readonly password_reset_tokens: PasswordResetTokenTable;
  readonly api_keys: ApiKeyTable;
  readonly credential_changes: CredentialChangeTable;
  readonly secrets: SecretTable;
  readonly audit_log: AuditLogTable;
  readonly idempotency_keys: IdempotencyKeyTable;
}

/** One row after the first start of a server: the data directory that the database belongs to. */
export interface InstallationTable {
  readonly is_only_row: Generated<boolean>;
  /** Content of the file `installation-id` of that directory. */
  readonly data_directory_id: string;
  /** Journal position of the span store's last checkpoint. Null before the first one, and after the database was adopted. */
  readonly checkpoint_position: Generated<number | null>;
  /** Greatest row ids at any checkpoint. Null before the first one. */
  readonly span_row_id: Generated<number | null>;
  readonly trace_row_id: Generated<number | null>;
  readonly session_row_id: Generated<number | null>;
  readonly annotation_row_id: Generated<number | null>;
}

/** A pool or, inside a transaction, its one connection. */
export type Db = Kysely<Database>;

/** All tables, each after the tables that it refers to: the order in which rows can be copied. */
export const TABLE_NAMES = [
  'users',
  'user_identities',
  'sign_in_failures',
  'sent_mails',
  'oauth2_clients',
  'oauth2_grants',
  'oauth2_authorization_codes',
  'sessions',
  'refresh_tokens',
  'access_tokens',
  'password_reset_tokens',
  'api_keys',
  'credential_changes',
  // A trigger records their insertion as a change, so they come after the changes.
  'scim_groups',
  'scim_group_members',
  'secrets',
  'audit_log',
  'project_trace_retention_policies',
  'projects',
  'project_members',
  'datasets',
  'dataset_versions',
  'dataset_examples',
  'dataset_example_revisions',
  'dataset_splits',
  'dataset_split_examples',
  'dataset_labels',
  'datasets_dataset_labels',
  'span_mappings',
  'dataset_sources',
  'dataset_source_spans',
  'experiments',
  'experiment_examples',
  'experiment_splits',
  // Triggers count the insertion of runs as changes of the summaries.
  'experiment_summaries',
  'experiment_notes',
  'experiment_runs',
  'experiment_evaluations',
  'experiment_run_annotations',
  'experiment_run_preferences',
  'experiment_tags',
  'deleted_projects',
  'generative_model_custom_providers',
  'prompts',
  'prompt_versions',
  'prompt_version_tags',
  'prompt_tag_moves',
  'prompt_labels',
  'prompts_prompt_labels',
  'annotation_configs',
  'project_annotation_configs',
  'generative_models',
  'token_prices',
  'cost_recomputations',
  'saved_views',
  'dashboards',
  'calibrations',
  'calibration_items',
  'evaluators',
  'llm_evaluators',
  'builtin_evaluators',
  'sandbox_providers',
  'sandbox_configs',
  'code_evaluators',
  'code_evaluator_code_versions',
  'dataset_evaluators',
  'experiment_dataset_evaluators',
  'experiment_jobs',
  'experiment_prompt_tasks',
  'experiment_logs',
  'cached_responses',
  'online_evaluators',
  'online_backfills',
  'online_items',
  'online_days',
  'idempotency_keys',
  'installation',
] as const satisfies readonly (keyof Database)[];

/** Kysely on a pool, which its opener must end. With `logSql`, statements are logged without their values. */
export const openDb = <Tables = Database>(
  pool: Pool,
  options: { readonly log: Log; readonly logSql?: boolean },
): Kysely<Tables> => openDbOn(withCallerErrors(pool), options);

/** Like `openDb`, on a pool that throws the errors of callers. */
export function openDbOn<Tables = Database>(
  pool: PostgresPool,
  { log, logSql }: { readonly log: Log; readonly logSql?: boolean },
): Kysely<Tables> {
  const dialect = new PostgresDialect({ pool, cursor: CopyCursor });
  if (!logSql) return new Kysely<Tables>({ dialect });
  const logStatement = ({ query, queryDurationMillis }: LogEvent) =>
    log.info({ sql: query.sql, durationMs: Math.round(queryDurationMillis * 1_000) / 1_000 }, 'SQL');
  return new Kysely<Tables>({ dialect, log: logStatement });
}
