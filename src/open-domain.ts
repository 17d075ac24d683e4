import { authorOf, type Caller, SIGN_IN_OFF } from './model/access/caller.ts';
import { USER_FEEDBACK } from './model/annotations/annotation-config.ts';
import type { Db } from './metadata-store/database/database.ts';
import { datasetRepository } from './metadata-store/datasets/dataset-repository.ts';
import { evaluatorRepository } from './metadata-store/evaluators/evaluator-repository.ts';
import { experimentRepository } from './metadata-store/experiments/experiment-repository.ts';
import { customProviderRepository } from './metadata-store/models/custom-providers.ts';
import { modelRepository } from './metadata-store/models/models.ts';
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
import { searchResources } from './metadata-store/search.ts';
import { secretRepository } from './metadata-store/secrets/secret-repository.ts';
import type { AccessPorts } from './domain/access/access-ports.ts';
import { createUploadQueue } from './domain/datasets/upload-queue.ts';
import { createDomain, type Domain, type DomainFor, type ReplicaReads } from './domain/domain.ts';
import { syncBuiltInEvaluators } from './domain/evaluators/sync-built-in-evaluators.ts';
import type { Ports } from './domain/ports.ts';
import { createImportQueue } from './domain/spans/import-queue.ts';
import { openAuditRetention } from './jobs/audit-retention.ts';
import { openRetention } from './jobs/retention.ts';
import { openStaleExperiments } from './jobs/stale-experiments.ts';
import { type Access, openAccess } from './open-access.ts';
import { openCosts } from './open-costs.ts';
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
    const ports = createPorts(runtime, stores, costs, access.ports);
    const domain = createDomain(ports);
    const domainFor: DomainFor = (caller, remoteAddress) => createDomain({ ...ports, caller, remoteAddress });
    if (!config.readOnly) {
      await syncBuiltInEvaluators(ports);
      await ensureDefaultRetentionPolicy(db, config.defaultRetentionDays);
      keep(openRetention({ ports, log: log.child({ part: 'retention' }), registry }));
      keep(openAuditRetention({ audit: ports.audit, retentionDays: config.access.auditRetentionDays, log }));
      keep(openStaleExperiments({ ports, log: log.child({ part: 'experiments' }) }));
    }
    return {
      domain,
      domainFor,
      replicaReads: stores.metadata.replica && openReplicaReads(stores.metadata.replica, ports, domainFor),
      ports,
      access,
    };
  });

function openReplicaReads(replica: Replica, ports: Ports, domainFor: DomainFor): ReplicaReads {
  const { list, findByRowIds } = modelRepository(replica.db);
  // Users and credentials stay on the primary.
  const replicaPorts = {
    ...ports,
    ...openRepositories(replica.db),
    models: { ...ports.models, list, findByRowIds },
  };
  // A user has several credentials, and reads with one what another has written.
  const writerOf = (caller: Caller) => `user ${authorOf(caller)}`;
  return {
    domainFor: async (caller, remoteAddress) =>
      (await replica.mayServe(writerOf(caller)))
        ? createDomain({ ...replicaPorts, caller, remoteAddress })
        : domainFor(caller, remoteAddress),
    afterWrites: (caller) => replica.recordWrite(writerOf(caller)),
  };
}

function createPorts(
  { memory }: Runtime,
  { metadata: { db }, spanStore, ingest, secretBox }: Stores,
  { models, recomputations }: Pick<Ports, 'models' | 'recomputations'>,
  access: AccessPorts,
): Ports {
  return {
    ...access,
    caller: SIGN_IN_OFF,
    remoteAddress: null,
    ...openRepositories(db),
    projectMembers: projectMemberRepository(db),
    projectAccess: undefined,
    uploads: createUploadQueue(memory.uploadCountMax),
    imports: createImportQueue(memory.uploadCountMax, memory.importLine),
    models,
    recomputations,
    secretBox,
    spans: spanStore,
    writes: ingest,
  };
}

/** Repositories that are only functions of a database. */
const openRepositories = (db: Db) => ({
  projects: projectRepository(db),
  retention: retentionPolicyRepository(db),
  datasets: datasetRepository(db),
  experiments: experimentRepository(db),
  evaluators: evaluatorRepository(db),
  prompts: promptRepository(db),
  annotationConfigs: annotationConfigRepository(db),
  savedViews: savedViewRepository(db),
  providers: customProviderRepository(db),
  secrets: secretRepository(db),
  search: (query: Parameters<Ports['search']>[0]) => searchResources(db, query),
});
