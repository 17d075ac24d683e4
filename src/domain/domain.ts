import type { Caller } from '../model/access/caller.ts';
import { type ApiKeyOperations, createApiKeyOperations } from './access/api-key-operations.ts';
import { type AuditOperations, createAuditOperations } from './access/audit-operations.ts';
import { createSignInOperations, type SignInOperations } from './access/sign-in/sign-in-operations.ts';
import { createUserOperations, type UserOperations } from './access/user-operations.ts';
import {
  type AnnotationConfigOperations,
  createAnnotationConfigOperations,
} from './annotation-configs/annotation-config-operations.ts';
import { type AnnotationOperations, createAnnotationOperations } from './annotations/annotation-operations.ts';
import {
  type AuthorizationOperations,
  createAuthorizationOperations,
} from './authorization/authorization-operations.ts';
import { type CostOperations, createCostOperations } from './costs/cost-operations.ts';
import { createDashboardOperations, type DashboardOperations } from './dashboards/dashboard-operations.ts';
import {
  createDatasetSourceOperations,
  type DatasetSourceOperations,
} from './dataset-sources/dataset-source-operations.ts';
import { createDatasetOperations, type DatasetOperations } from './datasets/dataset-operations.ts';
import {
  type CalibrationOperations,
  createCalibrationOperations,
} from './evaluators/calibration/calibration-operations.ts';
import { createEvaluatorOperations, type EvaluatorOperations } from './evaluators/evaluator-operations.ts';
import { createExperimentOperations, type ExperimentOperations } from './experiments/experiment-operations.ts';
import { createGroupOperations, type GroupOperations } from './groups/group-operations.ts';
import { createIdempotencyOperations, type IdempotencyOperations } from './idempotency/idempotency-operations.ts';
import { createModelOperations, type ModelOperations } from './models/model-operations.ts';
import {
  createOnlineEvaluatorOperations,
  type OnlineEvaluatorOperations,
} from './online-evaluators/online-evaluator-operations.ts';
import { createPlaygroundOperations, type PlaygroundOperations } from './playground/playground-operations.ts';
import type { Ports } from './ports.ts';
import { guardPorts } from './project-access/guard-ports.ts';
import { createProjectOperations, type ProjectOperations } from './projects/project-operations.ts';
import { createPromptOperations, type PromptOperations } from './prompts/prompt-operations.ts';
import {
  type CustomProviderOperations,
  createCustomProviderOperations,
} from './providers/custom-provider-operations.ts';
import { createRetentionOperations, type RetentionOperations } from './retention/retention-operations.ts';
import { createSampleOperations, type SampleOperations } from './samples/sample-operations.ts';
import { createSandboxOperations, type SandboxOperations } from './sandboxes/sandbox-operations.ts';
import { createSecretOperations, type SecretOperations } from './secrets/secret-operations.ts';
import { createSessionOperations, type SessionOperations } from './sessions/session-operations.ts';
import { createSpanOperations, type SpanOperations } from './spans/span-operations.ts';
import { createTraceOperations, type TraceOperations } from './traces/trace-operations.ts';
import { createSavedViewOperations, type SavedViewOperations } from './views/saved-view-operations.ts';

export {
  type AggregateGrain,
  type AggregateQuery,
  type AggregateRow,
  type Measure,
  type Measures,
  measure,
  totalOf,
} from '../span-store/contract/aggregate.ts';
export type {
  AnnotationAggregates,
  AnnotationAggregatesQuery,
  AnnotationChange,
  AnnotationFilter,
} from '../span-store/contract/annotations.ts';
export { type CostOwner, type Costs, type CostsOfType, compareTokenTypes } from '../span-store/contract/costs.ts';
export type { Grain, TraceGrain } from '../span-store/contract/grain.ts';
export type {
  AnnotationSort,
  Bin,
  BinPlan,
  ListPosition,
  RangeQuery,
  RowRef,
  TimeRange,
} from '../span-store/contract/query-terms.ts';
export type { ReadOptions } from '../span-store/contract/read-options.ts';
export { ROWS_OF_TARGET, type RowKind, toRowIds } from '../span-store/contract/rows.ts';
export type { SessionDetails, SessionSortColumn } from '../span-store/contract/sessions.ts';
export type { MetricSeries, SpanGroupSource } from '../span-store/contract/span-metrics.ts';
export type { SpanStoreReader } from '../span-store/contract/span-store.ts';
export type {
  AttributeCondition,
  SpanListPage,
  SpanQuery,
  SpanSize,
  SpanSortColumn,
} from '../span-store/contract/spans.ts';
export type { StoreChange } from '../span-store/contract/store-changes.ts';
export type { ErrorTypeCount } from '../span-store/contract/traces.ts';
export type { ValueAggregates } from '../span-store/contract/value-aggregates.ts';
export type { AnnotationConfigRef as ConfigRef } from './annotation-configs/annotation-config-repository.ts';
export { BUILT_IN_DASHBOARDS } from './dashboards/built-in-dashboards.ts';
export { findMetricIssue } from './dashboards/panel-rules.ts';
export type { DashboardInput } from './dashboards/save-dashboard.ts';
export type {
  ComparisonGroup,
  ComparisonMeasure,
  ComparisonSummary,
} from './experiments/comparison/comparison-summary.ts';
export type { ComparedRow, DetailedRun } from './experiments/comparison/list-rows.ts';
export type { ComparisonReport } from './experiments/comparison/report-comparison.ts';
export type { RowFilter, RowSort } from './experiments/comparison/select-rows.ts';
export type { ReadPersonAnnotation } from './experiments/person-annotations.ts';
export type { ChatTaskResult } from './playground/run-chat-task.ts';
export type { GivenMember, ProjectAccessView } from './project-access/manage-project-access.ts';
export type { ProjectRef } from './projects/project-repository.ts';

/** Operations and queries of the product, by noun. The API layers call these and know no store. */
export interface Domain extends Pick<Ports, 'caller' | 'secretBox' | 'search'> {
  readonly signIn: SignInOperations;
  readonly users: UserOperations;
  readonly groups: GroupOperations;
  readonly apiKeys: ApiKeyOperations;
  readonly authorization: AuthorizationOperations;
  readonly audit: AuditOperations;
  readonly projects: ProjectOperations;
  readonly spans: SpanOperations;
  readonly traces: TraceOperations;
  readonly sessions: SessionOperations;
  readonly annotations: AnnotationOperations;
  readonly annotationConfigs: AnnotationConfigOperations;
  readonly datasets: DatasetOperations;
  readonly datasetSources: DatasetSourceOperations;
  readonly experiments: ExperimentOperations;
  readonly evaluators: EvaluatorOperations;
  readonly onlineEvaluators: OnlineEvaluatorOperations;
  readonly prompts: PromptOperations;
  readonly models: ModelOperations;
  readonly providers: CustomProviderOperations;
  readonly playground: PlaygroundOperations;
  readonly costs: CostOperations;
  readonly retention: RetentionOperations;
  readonly sandboxes: SandboxOperations;
  readonly secrets: SecretOperations;
  readonly samples: SampleOperations;
  readonly savedViews: SavedViewOperations;
  readonly dashboards: DashboardOperations;
  readonly calibrations: CalibrationOperations;
  readonly idempotency: IdempotencyOperations;
}

const OPERATIONS = {
  signIn: createSignInOperations,
  users: createUserOperations,
  groups: createGroupOperations,
  apiKeys: createApiKeyOperations,
  authorization: createAuthorizationOperations,
  audit: createAuditOperations,
  projects: createProjectOperations,
  spans: createSpanOperations,
  traces: createTraceOperations,
  sessions: createSessionOperations,
  annotations: createAnnotationOperations,
  annotationConfigs: createAnnotationConfigOperations,
  datasets: createDatasetOperations,
  datasetSources: createDatasetSourceOperations,
  experiments: createExperimentOperations,
  evaluators: createEvaluatorOperations,
  onlineEvaluators: createOnlineEvaluatorOperations,
  prompts: createPromptOperations,
  models: createModelOperations,
  providers: createCustomProviderOperations,
  playground: createPlaygroundOperations,
  costs: createCostOperations,
  retention: createRetentionOperations,
  sandboxes: createSandboxOperations,
  secrets: createSecretOperations,
  samples: createSampleOperations,
  savedViews: createSavedViewOperations,
  dashboards: createDashboardOperations,
  calibrations: createCalibrationOperations,
  idempotency: createIdempotencyOperations,
} as const satisfies Omit<
  { [Noun in keyof Domain]: (ports: Ports) => Domain[Noun] },
  'caller' | 'secretBox' | 'search'
>;

type Noun = keyof typeof OPERATIONS;

/** The domain as a caller may use it from an address, which the audit log names. */
export type DomainFor = (caller: Caller, remoteAddress: string | null) => Domain;

/** Reads from a read replica. Without one, nothing provides this. */
export interface ReplicaReads {
  /** Domain for a request that only reads: on the replica if that has the last write of the caller, else on the primary. */
  domainFor(caller: Caller, remoteAddress: string | null): Promise<Domain>;
  /** Called after a request that may have written, before its response. Later reads of the caller see its writes. */
  afterWrites(caller: Caller): Promise<void>;
}

/** A request uses few nouns, so the operations of a noun are bound when they are first used. */
export function createDomain(given: Ports): Domain {
  const ports = guardPorts(given);
  const domain = { caller: ports.caller, secretBox: ports.secretBox, search: ports.search };
  for (const noun of NOUNS) {
    Object.defineProperty(domain, noun, {
      configurable: true,
      enumerable: true,
      get() {
        const operations: unknown = OPERATIONS[noun](ports);
        Object.defineProperty(domain, noun, { value: operations, enumerable: true });
        return operations;
      },
    });
  }
  // The loop has defined every noun.
  return domain as Domain;
}

export const NOUNS = Object.keys(OPERATIONS) as readonly Noun[];
