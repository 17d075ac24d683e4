import type { Caller } from '../model/access/caller.ts';
import type { AnnotationBatch } from '../model/annotations/annotation.ts';
import type { JudgeFile } from '../model/evaluators/judge-file.ts';
import type { SandboxBackend } from '../model/evaluators/sandbox-config.ts';
import type { ProjectScope } from '../model/projects/project-member.ts';
import type { Receipt } from '../model/receipt.ts';
import type { ResourceMatches } from '../model/resource-matches.ts';
import type { SpanStoreReader } from '../span-store/contract/span-store.ts';
import type { Deletion, Transfer } from '../span-store/contract/writer.ts';
import type { CalibrationRepository } from '../metadata-store/calibrations/calibration-repository.ts';
import type { DatasetSourceRepository } from '../metadata-store/dataset-sources/dataset-sources.ts';
import type { DatasetRepository } from '../metadata-store/datasets/dataset-repository.ts';
import type { EvaluatorRepository } from '../metadata-store/evaluators/evaluator-repository.ts';
import type { ExperimentJobRepository } from '../metadata-store/experiment-jobs/experiment-job-repository.ts';
import type { ExperimentRepository } from '../metadata-store/experiments/experiment-repository.ts';
import type { IdempotencyRepository } from '../metadata-store/idempotency/idempotency-repository.ts';
import type { OnlineEvaluatorRepository } from '../metadata-store/online-evaluators/online-evaluator-repository.ts';
import type { PromptRepository } from '../metadata-store/prompts/prompt-repository.ts';
import type { SandboxRepository } from '../metadata-store/sandboxes/sandbox-repository.ts';
import type { SecretRepository } from '../metadata-store/secrets/secret-repository.ts';
import type { ChatModels } from '../llm/contract/chat-models.ts';
import type { JsonSchemas } from '../sandbox/contract/json-schemas.ts';
import type { Regexes } from '../sandbox/contract/regexes.ts';
import type { Sandbox } from '../sandbox/contract/sandbox.ts';
import type { JobRunner } from './experiments/jobs/job-runner.ts';
import type { AccessPorts } from './access/access-ports.ts';
import type { AnnotationConfigRepository } from './annotation-configs/annotation-config-repository.ts';
import type { RecomputationRepository } from './costs/recomputation-repository.ts';
import type { DashboardRepository } from './dashboards/dashboard-repository.ts';
import type { UploadQueue } from './datasets/upload-queue.ts';
import type { UploadStates } from './datasets/upload-states.ts';
import type { CalibrationRunner } from './evaluators/calibration/calibration-runner.ts';
import type { RunCostCache } from './experiments/comparison/run-cost-cache.ts';
import type { RequestClaims } from './idempotency/request-claims.ts';
import type { ModelRepository } from './models/model-repository.ts';
import type { StoredSpans } from './playground/stored-spans.ts';
import type { ProjectAccess } from './project-access/project-access.ts';
import type { ProjectMemberRepository } from './project-access/project-member-repository.ts';
import type { ProjectRepository } from './projects/project-repository.ts';
import type { CustomProviderRepository } from './providers/custom-provider-repository.ts';
import type { ModelSettings } from './providers/model-settings.ts';
import type { RetentionPolicyRepository } from './retention/retention-policy-repository.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import type { ImportQueue } from './spans/import-queue.ts';
import type { SavedViewRepository } from './views/saved-view-repository.ts';

/** The stores and queues that operations need. Each operation names the ports that it uses. */
export interface Ports extends AccessPorts {
  /** Who uses the operations. */
  readonly caller: Caller;
  /** Address of the client. Null for work of the server itself. */
  readonly remoteAddress: string | null;
  readonly projects: ProjectRepository;
  readonly projectMembers: ProjectMemberRepository;
  /** Projects of the caller. Undefined for all. */
  readonly projectAccess: ProjectAccess | undefined;
  readonly datasets: DatasetRepository;
  readonly datasetSources: DatasetSourceRepository;
  readonly experiments: ExperimentRepository;
  readonly experimentJobs: ExperimentJobRepository;
  readonly jobRunner: JobRunner;
  readonly evaluators: EvaluatorRepository;
  /** Ready-made LLM judges. */
  readonly judges: readonly JudgeFile[];
  readonly onlineEvaluators: OnlineEvaluatorRepository;
  readonly uploads: UploadQueue;
  readonly uploadStates: UploadStates;
  readonly imports: ImportQueue;
  readonly retention: RetentionPolicyRepository;
  readonly prompts: PromptRepository;
  readonly annotationConfigs: AnnotationConfigRepository;
  readonly models: ModelRepository;
  readonly recomputations: RecomputationRepository;
  readonly providers: CustomProviderRepository;
  readonly modelSettings: ModelSettings;
  readonly secrets: SecretRepository;
  readonly secretBox: SecretBox;
  readonly chatModels: ChatModels;
  readonly savedViews: SavedViewRepository;
  readonly dashboards: DashboardRepository;
  readonly calibrations: CalibrationRepository;
  readonly calibrationRunner: CalibrationRunner;
  readonly storedSpans: StoredSpans;
  readonly runCosts: RunCostCache;
  readonly idempotency: IdempotencyRepository;
  readonly requestClaims: RequestClaims;
  readonly jsonSchemas: JsonSchemas;
  readonly regexes: Regexes;
  readonly sandbox: Sandbox;
  readonly sandboxes: SandboxRepository;
  /** Backends that the settings allow. Undefined: all. */
  readonly allowedSandboxes: ReadonlySet<SandboxBackend> | undefined;
  /** Finds resources by name or description. */
  search(query: {
    readonly text: string;
    readonly limitPerKind: number;
    /** Also finds datasets and prompts by the names of their labels. */
    readonly withLabels?: boolean | undefined;
    readonly projects?: ProjectScope | undefined;
  }): Promise<ResourceMatches>;
  readonly spans: SpanStoreReader;
  readonly writes: SpanWrites;
}

/** Durable writes to the span store through ingest. `waitFor` resolves when reads see a write. */
export interface SpanWrites {
  /** Text of `{"project":…,"spans":[…]}` with the name of the project, made by `spans/create-spans.ts`. */
  submitSpans(json: string, spanCount: number, projectName: string): Promise<{ readonly receipt: Receipt }>;
  submitAnnotations(batch: AnnotationBatch): Promise<{ readonly receipt: Receipt }>;
  /** The row of a deleted project is deleted when the record is applied. */
  submitDeletion(deletion: Deletion): Promise<{ readonly receipt: Receipt }>;
  submitTransfer(transfer: Transfer): Promise<{ readonly receipt: Receipt }>;
  waitFor(receipt: Receipt): Promise<void>;
}
