import type { ModelsConfig } from './config/config.ts';
import { authorOf, type Caller, SIGN_IN_OFF } from './model/access/caller.ts';
import { USER_FEEDBACK } from './model/annotations/annotation-config.ts';
import { SANDBOX_BACKENDS } from './model/evaluators/sandbox-config.ts';
import { MODEL_PROVIDERS, type ModelProvider } from './model/prompts/prompt-parameters.ts';
import { calibrationRepository } from './metadata-store/calibrations/calibration-repository.ts';
import { dashboardRepository } from './metadata-store/dashboards/dashboards.ts';
import type { Db } from './metadata-store/database/database.ts';
import { datasetSourceRepository } from './metadata-store/dataset-sources/dataset-sources.ts';
import { datasetRepository } from './metadata-store/datasets/dataset-repository.ts';
import { evaluatorRepository } from './metadata-store/evaluators/evaluator-repository.ts';
import { experimentJobRepository } from './metadata-store/experiment-jobs/experiment-job-repository.ts';
import { experimentRepository } from './metadata-store/experiments/experiment-repository.ts';
import { idempotencyRepository } from './metadata-store/idempotency/idempotency-repository.ts';
import { customProviderRepository } from './metadata-store/models/custom-providers.ts';
import { modelRepository } from './metadata-store/models/models.ts';
import { onlineEvaluatorRepository } from './metadata-store/online-evaluators/online-evaluator-repository.ts';
import { annotationConfigRepository, ensureConfig } from './metadata-store/projects/annotation-configs.ts';
import { projectMemberRepository } from './metadata-store/projects/project-members.ts';
import { projectRepository } from './metadata-store/projects/project-repository.ts';
import {
  ensureDefaultRetentionPolicy,
  retentionPolicyRepository,
} from './metadata-store/projects/retention-policies.ts';
import { savedViewRepository } from './metadata-store/projects/saved-views.ts';
import { promptRepository } from './metadata-store/prompts/prompt-repository.ts';
import type { Replica } from './metadata-store/replica/replica.ts';
import { sandboxRepository } from './metadata-store/sandboxes/sandbox-repository.ts';
import { searchResources } from './metadata-store/search.ts';
import { secretRepository } from './metadata-store/secrets/secret-repository.ts';
import type { Ingest } from './ingest/ingest.ts';
import { openChatModels } from './llm/open-chat-models.ts';
import { createSandbox } from './sandbox/code/thread-sandbox.ts';
import { createJsonSchemas } from './sandbox/json-schema/thread-json-schemas.ts';
import { createRegexes } from './sandbox/regex/thread-regexes.ts';
import type { AccessPorts } from './domain/access/access-ports.ts';
import { completeProjects, completeReads } from './domain/complete-reads.ts';
import { createUploadQueue } from './domain/datasets/upload-queue.ts';
import { createUploadStates } from './domain/datasets/upload-states.ts';
import { createDomain, type Domain, type DomainFor, type ReplicaReads } from './domain/domain.ts';
import { createCalibrationRunner } from './domain/evaluators/calibration/calibration-runner.ts';
import { syncBuiltInEvaluators } from './domain/evaluators/sync-built-in-evaluators.ts';
import { RunCostCache } from './domain/experiments/comparison/run-cost-cache.ts';
import { openRequestClaims } from './domain/idempotency/request-claims.ts';
import { createStoredSpans } from './domain/playground/stored-spans.ts';
import type { Ports } from './domain/ports.ts';
import type { ModelSettings } from './domain/providers/model-settings.ts';
import { createImportQueue } from './domain/spans/import-queue.ts';
import { openAuditRetention } from './jobs/audit-retention.ts';
import { openIdempotencySweep } from './jobs/idempotency-sweep.ts';
import { openOnlineEvaluation } from './jobs/online-evaluation.ts';
import { RateLimits } from './jobs/rate-limits/rate-limits.ts';
import { openRetention } from './jobs/retention.ts';
import { openStaleExperiments } from './jobs/stale-experiments.ts';
import { type Access, openAccess } from './open-access.ts';
import { openCosts } from './open-costs.ts';
import { createJobRunner } from './open-jobs.ts';
import { openParts } from './open-parts.ts';
import type { Stores } from './open-stores.ts';
import type { Runtime } from './prepare-runtime.ts';

/** The domain on its stores, with its background work. */
export interface OpenDomain {
  /** The domain as the server itself uses it, which may do everything. */
  readonly domain: Domain;
  readonly domainFor: DomainFor;
  readonly replicaReads: ReplicaReads | undefined;
  readonly access: Pick<Access, 'authenticate' | 'providers' | 'directory' | 'ports'>;
  /** The repositories, span store and queues under the domain. */
  readonly ports: Ports;
  /** Ends the background work. */
  close(): Promise<void>;
}

/** Second stage. Stores what is built in, binds the operations to the stores, and starts the background work. */
export const openDomain = (runtime: Runtime, stores: Stores): Promise<OpenDomain> =>
  openParts(async (keep) => {
    const { config, log, registry } = runtime;
    const { spanStore, ingest } = stores;
    const { db } = stores.metadata;
    if (!config.readOnly) await ensureConfig(db, USER_FEEDBACK);
    const builtInModels = runtime.priceFile.models;
    const costs = keep(await openCosts({ db, spanStore, ingest, builtInModels, log }));
    const access = keep(await openAccess(runtime, stores));
    const { proxies, allowsPrivateAddresses } = config.models;
    const chatModels = keep(openChatModels({ proxies, allowsPrivate: allowsPrivateAddresses }));
    const jsonSchemas = keep(createJsonSchemas());
    const regexes = keep(createRegexes());
    const sandbox = keep(createSandbox());
    const calibrationRunner = keep(createCalibrationRunner(log.child({ part: 'calibrations' })));
    const idempotencyLog = log.child({ part: 'idempotency' });
    const requestClaims = keep(openRequestClaims(idempotencyRepository(db), idempotencyLog));
    const opened = { ...costs, chatModels, jsonSchemas, regexes, sandbox, calibrationRunner, requestClaims };
    const stored = createPorts(runtime, stores, opened, access.ports);
    // One for all that calls the vendors: their limits hold for a key, whatever its calls are for.
    const rateLimits = new RateLimits();
    const jobRunner = keep(await createJobRunner(runtime, stored, rateLimits));
    const ports: Ports = { ...stored, jobRunner };
    const domain = createDomain(ports);
    const domainFor: DomainFor = (caller, remoteAddress) => createDomain({ ...ports, caller, remoteAddress });
    if (!config.readOnly) {
      await syncBuiltInEvaluators(ports);
      await ensureDefaultRetentionPolicy(db, config.defaultRetentionDays);
      keep(openRetention({ ports, log: log.child({ part: 'retention' }), registry }));
      keep(openAuditRetention({ audit: ports.audit, retentionDays: config.access.auditRetentionDays, log }));
      keep(openIdempotencySweep({ requestClaims, log: idempotencyLog }));
      keep(openOnlineEvaluation({ ports, rateLimits, log: log.child({ part: 'online-evaluation' }) }));
      keep(openStaleExperiments({ ports, log: log.child({ part: 'experiments' }) }));
      jobRunner.open();
    }
    return {
      domain,
      domainFor,
      replicaReads:
        stores.metadata.replica && openReplicaReads(stores.metadata.replica, stores.ingest, ports, domainFor),
      ports,
      access,
    };
  });

function openReplicaReads(replica: Replica, ingest: Ingest, ports: Ports, domainFor: DomainFor): ReplicaReads {
  const { list, findByRowIds } = modelRepository(replica.db);
  // Users and credentials stay on the primary.
  const replicaPorts = {
    ...ports,
    ...openRepositories(replica.db, ingest),
    models: { ...ports.models, list, findByRowIds },
  };
  // A user has several credentials, and reads with one what another has written.
  const writerOf = (caller: Caller) => `user ${authorOf(caller)}` as const;
  return {
    domainFor: async (caller, remoteAddress) =>
      (await replica.mayServe(writerOf(caller)))
        ? createDomain({ ...replicaPorts, caller, remoteAddress })
        : domainFor(caller, remoteAddress),
    afterWrites: (caller) => replica.recordWrite(writerOf(caller)),
  };
}

function createPorts(
  { config, memory, judges }: Runtime,
  { metadata: { db }, spanStore, ingest, secretBox }: Stores,
  opened: Pick<
    Ports,
    | 'models'
    | 'recomputations'
    | 'chatModels'
    | 'jsonSchemas'
    | 'regexes'
    | 'sandbox'
    | 'calibrationRunner'
    | 'requestClaims'
  >,
  access: AccessPorts,
): Omit<Ports, 'jobRunner'> {
  const spans = completeReads(spanStore, ingest);
  return {
    ...access,
    caller: SIGN_IN_OFF,
    remoteAddress: null,
    ...openRepositories(db, ingest),
    projectMembers: projectMemberRepository(db),
    projectAccess: undefined,
    uploads: createUploadQueue(memory.uploadCountMax),
    uploadStates: createUploadStates(),
    imports: createImportQueue(memory.uploadCountMax, memory.importLine),
    ...opened,
    judges,
    secretBox,
    modelSettings: toModelSettings(config.models),
    allowedSandboxes: toAllowedSandboxes(config.allowedSandboxes),
    spans,
    storedSpans: createStoredSpans(spans),
    runCosts: new RunCostCache(),
    writes: ingest,
  };
}

function toAllowedSandboxes(names: readonly string[] | undefined): Ports['allowedSandboxes'] {
  return names && new Set(SANDBOX_BACKENDS.filter((backend) => names.includes(backend)));
}

function toModelSettings({ allowedProviders, variables, keyHosts, silenceMsMax, agents }: ModelsConfig): ModelSettings {
  const isNamed = (provider: ModelProvider) => allowedProviders?.includes(provider);
  return {
    allowedProviders: allowedProviders && new Set(MODEL_PROVIDERS.filter(isNamed)),
    variables,
    keyHosts: new Map(keyHosts.map(({ name, hosts }) => [name, hosts])),
    silenceMsMax,
    agents,
  };
}

/** Repositories that are only functions of a database. */
const openRepositories = (db: Db, ingest: Ingest) => ({
  projects: completeProjects(projectRepository(db), ingest),
  retention: retentionPolicyRepository(db),
  datasets: datasetRepository(db),
  datasetSources: datasetSourceRepository(db),
  experiments: experimentRepository(db),
  experimentJobs: experimentJobRepository(db),
  evaluators: evaluatorRepository(db),
  onlineEvaluators: onlineEvaluatorRepository(db),
  prompts: promptRepository(db),
  annotationConfigs: annotationConfigRepository(db),
  savedViews: savedViewRepository(db),
  dashboards: dashboardRepository(db),
  calibrations: calibrationRepository(db),
  idempotency: idempotencyRepository(db),
  providers: customProviderRepository(db),
  secrets: secretRepository(db),
  sandboxes: sandboxRepository(db),
  search: (query: Parameters<Ports['search']>[0]) => searchResources(db, query),
});
