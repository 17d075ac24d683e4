import { mkdir, readdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { ByteBudget } from './base/byte-budget.ts';
import { HeapBudget } from './base/heap-budget.ts';
import type { Log } from './base/log.ts';
import { readMachineMemory } from './base/machine-memory.ts';
import { registerProcessMetrics } from './base/process-metrics.ts';
import { COMPATIBLE_VERSION, VERSION } from './base/version.ts';
import type { Config } from './config/config.ts';
import { USER_FEEDBACK } from './model/annotation-config.ts';
import type { NewGenerativeModel } from './model/generative-model.ts';
import { planMemory } from './model/memory-plan.ts';
import { digestOfPrices } from './span-store/contract/cost-change.ts';
import type { SpanStore } from './span-store/contract/span-store.ts';
import { openSpanStore } from './span-store/open-span-store.ts';
import type { Db } from './metadata-store/database/database.ts';
import { tableSizes } from './metadata-store/database/table-sizes.ts';
import { datasetRepository } from './metadata-store/datasets/dataset-repository.ts';
import { evaluatorRepository } from './metadata-store/evaluators/evaluator-repository.ts';
import { experimentRepository } from './metadata-store/experiments/experiment-repository.ts';
import { type MetadataStore, openMetadataStore } from './metadata-store/metadata-store.ts';
import { recomputationRepository } from './metadata-store/models/cost-recomputations.ts';
import { customProviderRepository } from './metadata-store/models/custom-providers.ts';
import { modelRepository } from './metadata-store/models/models.ts';
import { annotationConfigRepository, ensureConfig } from './metadata-store/projects/annotation-configs.ts';
import { projectRepository } from './metadata-store/projects/project-repository.ts';
import { openProjectResolver } from './metadata-store/projects/project-resolver.ts';
import { deleteProject } from './metadata-store/projects/projects.ts';
import {
  ensureDefaultRetentionPolicy,
  retentionPolicyRepository,
} from './metadata-store/projects/retention-policies.ts';
import { savedViewRepository } from './metadata-store/projects/saved-views.ts';
import { promptRepository } from './metadata-store/prompts/prompt-repository.ts';
import { searchResources } from './metadata-store/search.ts';
import { lockDataDirectory } from './ingest/data-directory-lock.ts';
import type { Ingest } from './ingest/ingest.ts';
import { openIngest } from './ingest/open-ingest.ts';
import { createUploadQueue } from './domain/datasets/upload-queue.ts';
import { createDomain } from './domain/domain.ts';
import { syncBuiltInEvaluators } from './domain/evaluators/sync-built-in-evaluators.ts';
import type { Ports } from './domain/ports.ts';
import { createSecretBox } from './domain/secrets/secret-box.ts';
import { createImportQueue } from './domain/spans/import-queue.ts';
import { startPricePublisher } from './jobs/publish-prices.ts';
import { startRecomputingCosts } from './jobs/recompute-costs.ts';
import { openRetention } from './jobs/retention.ts';
import { openStaleExperiments } from './jobs/stale-experiments.ts';
import { openStorageGuard } from './jobs/storage-guard.ts';
import { openGrpcServer } from './server/grpc-server.ts';
import { guardMethods, guardRoutes } from './server/guard-routes.ts';
import { healthRoutes } from './server/health-routes.ts';
import { openHttpServer } from './server/http-server.ts';
import { readWebFiles } from './server/web-files.ts';
import { otlpRoutes } from './api/otlp/trace-routes.ts';
import { traceServiceMethods } from './api/otlp/trace-service.ts';
import { openEvents } from './api/rest/events.ts';
import { restRoutes } from './api/rest/routes.ts';
import { graphqlRoutes } from './api/graphql/routes.ts';
import { readEncryptionKey } from './encryption-key.ts';
import { readInstallationId } from './installation-id.ts';
import { readModelPrices } from './read-model-prices.ts';
import { claimDatabase, reconcile } from './reconcile.ts';
import { warnOfClosedProviders } from './sealed-providers.ts';

/** A running server: where it answers, and how it ends. */
export interface RunningServer {
  readonly httpAddress: string;
  /** Undefined on a read-only server. */
  readonly grpcPort: number | undefined;
  /** Where the metadata is, without passwords. */
  readonly metadataStore: string;
  /** Stops accepting, ends what is in flight, flushes, closes the stores. */
  close(): Promise<void>;
}

export interface ComposeOptions {
  readonly config: Config;
  readonly log: Log;
  /** Something failed after which nothing may be acknowledged any more: the process must end. */
  readonly onFatal: (error: Error) => void;
}

/** Builds each part once, after what it needs. What was opened is closed in reverse, also when a later part fails. */
export async function compose({ config, log, onFatal }: ComposeOptions): Promise<RunningServer> {
  const opened: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (let end = opened.pop(); end; end = opened.pop()) await end();
  };
  try {
    const { paths } = config;
    const priceFile = await readModelPrices();
    await mkdir(paths.dataDir, { recursive: true });
    const lock = await lockDataDirectory(paths.dataDir);
    opened.push(() => lock.release());
    const encryptionKey = await readEncryptionKey(paths.dataDir, config.secret);
    const installationId = await readInstallationId(paths.dataDir);
    const registry = new Registry();
    registerProcessMetrics(registry);

    const machine = { ...readMachineMemory(), coreCount: availableParallelism() };
    const memory = planMemory({ ...machine, storeBytes: config.spans.memoryBytes });
    log.debug({ ...machine, ...memory }, 'Planned the memory budgets');
    const bodyBudget = new ByteBudget(memory.bodyBytesMax);

    const metadata = await openMetadata(config, log, registry);
    opened.push(() => metadata.close());
    const { db, readDb } = metadata;
    await claimDatabase(db, installationId, metadata.describe());
    const secrets = createSecretBox(encryptionKey);
    await warnOfClosedProviders(db, { box: secrets, isSecretSet: config.secret !== undefined, log });
    const projectNames = openProjectResolver({ db, log: log.child({ part: 'metadata-store' }) });
    opened.push(() => projectNames.close());

    const spanStore = await openSpanStore({
      dir: paths.spanStoreDir,
      memory: memory.store,
      resolveProjects: (names, position) => projectNames.resolve(names, position),
      removeProject: (project, position) => deleteProject(db, project, position),
      log: log.child({ part: 'span-store' }),
      registry,
    });
    opened.push(() => spanStore.close());

    const ingest = await openIngest({
      bodyBudget,
      limits: { inFlightBytesMax: memory.bodyBytesMax },
      pool: {
        threadCount: memory.decodeThreadCount,
        heapBytesMax: memory.decodeHeapBytesMax,
        jsonSignCountMax: memory.jsonSignCountMax,
      },
      dir: paths.journalDir,
      storeDir: paths.spanStoreDir,
      writer: spanStore,
      log: log.child({ part: 'ingest' }),
      registry,
      graceMs: config.ingest.journalGraceMs,
      maxQueuedSpans: config.ingest.queuedSpanCountMax,
      beforeApplying: (journal) => reconcile({ db, spanStore, journal, log }),
      onFatal,
    });
    opened.push(() => ingest.close());

    const storage = await openStorageGuard({
      ...config.capacity,
      usedBytes: () => usedBytes(spanStore, [paths.journalDir, paths.metadataStoreDir]),
      log,
      registry,
    });
    opened.push(() => storage.close());

    if (!config.readOnly) await ensureConfig(db, USER_FEEDBACK);
    const costs = await openCosts({ db, spanStore, ingest, builtInModels: priceFile.models, log });
    opened.push(() => costs.close());

    const ports: Ports = {
      projects: projectRepository({ db, readDb }),
      retention: retentionPolicyRepository(db),
      datasets: datasetRepository(db),
      experiments: experimentRepository(db),
      evaluators: evaluatorRepository(db),
      uploads: createUploadQueue(memory.uploadCountMax),
      imports: createImportQueue(memory.uploadCountMax, memory.importLine),
      prompts: promptRepository({ db, readDb }),
      annotationConfigs: annotationConfigRepository(db),
      models: costs.models,
      recomputations: costs.recomputations,
      savedViews: savedViewRepository(db),
      providers: customProviderRepository(db),
      secrets,
      search: (query) => searchResources(readDb, query),
      spans: spanStore,
      writes: ingest,
    };
    const domain = createDomain(ports);
    if (!config.readOnly) {
      await syncBuiltInEvaluators(ports);
      await ensureDefaultRetentionPolicy(db, config.defaultRetentionDays);
      const retention = openRetention({ ports, log: log.child({ part: 'retention' }), registry });
      opened.push(() => retention.close());
      const stale = openStaleExperiments({ ports, log: log.child({ part: 'experiments' }) });
      opened.push(() => stale.close());
    }
    const isReady = async () => {
      const [isCaughtUp] = await Promise.all([ingest.isCaughtUp(), metadata.ping()]);
      return isCaughtUp;
    };
    const health = healthRoutes({ compatibleVersion: COMPATIBLE_VERSION, isReady, registry });
    const events = openEvents({ domain });
    const spanStoreBytes = async () => (await spanStore.stats()).diskBytes;
    const web = readWebFiles(new URL('../web/', import.meta.url), config.http.rootPath);
    const apiRoutes = [
      ...otlpRoutes(ingest),
      ...restRoutes({ domain, version: VERSION, uploadDir: join(paths.dataDir, 'uploads') }),
      ...events.routes,
      ...graphqlRoutes({
        domain,
        log,
        isReadOnly: config.readOnly,
        storageLock: () => storage.lock(),
        consolePage: web.graphqlConsole,
        storage: {
          capacityBytes: config.capacity.capacityBytes,
          spanStoreBytes,
          tableSizes: async () => [
            { tableName: 'spans', numBytes: await spanStoreBytes() },
            ...(await tableSizes(readDb)),
          ],
        },
      }),
    ];
    const common = { compatibleVersion: COMPATIBLE_VERSION, version: VERSION, log, registry, engine: 'auto' } as const;
    const http = await openHttpServer({
      ...common,
      routes: [
        ...health,
        ...web.routes,
        ...guardRoutes(apiRoutes, { isReadOnly: config.readOnly, storageLock: () => storage.lock() }),
      ],
      page: web.page,
      bodyBudget,
      heapBudget: new HeapBudget(memory.jsonHeapBytesMax),
      limits: { connectionCountMax: memory.connectionCountMax },
      host: config.http.host,
      port: config.http.port,
      rootPath: config.http.rootPath,
      tls: config.http.tls,
      allowedOrigins: config.allowedOrigins,
      csrfTrustedOrigins: config.csrfTrustedOrigins,
      allowedHosts: config.allowedHosts,
      rootUrl: config.rootUrl,
    });
    opened.push(() => http.close());
    // Streams never end by themselves: the listener waits for what is in flight.
    opened.push(() => events.close());
    if (config.metrics.enabled) {
      const metrics = await openHttpServer({
        ...common,
        engine: 'node',
        registry: new Registry(),
        routes: health,
        host: config.metrics.host,
        port: config.metrics.port,
        rootPath: '',
        allowedHosts: config.allowedHosts,
        rootUrl: config.rootUrl,
      });
      opened.push(() => metrics.close());
    }
    const grpc = config.readOnly
      ? undefined
      : await openGrpcServer({
          methods: guardMethods(traceServiceMethods(ingest), () => storage.lock()),
          host: config.grpc.host,
          port: config.grpc.port,
          tls: config.grpc.tls,
          bodyBudget,
          limits: { connectionCountMax: memory.grpcConnectionCountMax },
          log,
          registry,
        });
    if (grpc) opened.push(() => grpc.close());
    return { httpAddress: http.address, grpcPort: grpc?.port, metadataStore: metadata.describe(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface CostsOptions {
  readonly db: Db;
  readonly spanStore: SpanStore;
  readonly ingest: Ingest;
  readonly builtInModels: readonly NewGenerativeModel[];
  readonly log: Log;
}

/** Publishes the prices in Postgres to the span store, and recomputes costs when a user requests it. */
async function openCosts({ db, spanStore, ingest, builtInModels, log }: CostsOptions) {
  const rows = modelRepository(db);
  await rows.syncBuiltIn(builtInModels);
  const prices = startPricePublisher({
    readModels: () => rows.list(),
    isInForce: async (text) => (await spanStore.priceDigest()) === digestOfPrices(text),
    submit: (models) => ingest.submitCostChange({ what: 'prices', models }),
    applied: (position) => ingest.applied(position),
    log,
  });
  // Before the first span arrives, if the disk has free space.
  await prices
    .publish()
    .catch((error: Error) =>
      log.warn({ error: error.message }, 'Could not publish model prices; new spans use the previous prices'),
    );

  const requests = recomputationRepository(db);
  const recomputing = startRecomputingCosts({
    findOpen: () => requests.findOpen(),
    advance: (...progress) => requests.advance(...progress),
    recompute: async (range) => {
      const { position } = await ingest.submitCostChange({ what: 'recompute', ...range });
      await ingest.applied(position);
    },
    newestSpanRowId: () => spanStore.newestSpanRowId(),
    log,
  });
  return {
    models: { ...rows, publish: () => prices.publish() },
    recomputations: {
      ...requests,
      async create(projectId: number | null) {
        const created = await requests.create(projectId);
        recomputing.notify();
        return created;
      },
    },
    async close() {
      await recomputing.close();
      await prices.close();
    },
  };
}

const openMetadata = ({ metadata, paths }: Config, log: Log, registry: Registry): Promise<MetadataStore> =>
  openMetadataStore({
    dataDir: paths.metadataStoreDir,
    url: metadata.databaseUrl,
    readReplicaUrl: metadata.readReplicaUrl,
    schema: metadata.schema,
    logSql: metadata.logStatements,
    migrate: metadata.migrate,
    log: log.child({ part: 'metadata-store' }),
    registry,
  });

async function usedBytes(spanStore: SpanStore, dirs: readonly string[]): Promise<number> {
  const sizes = await Promise.all(dirs.map(directoryBytes));
  const { diskBytes, freeBytes } = await spanStore.stats();
  return sizes.reduce((sum, bytes) => sum + bytes, diskBytes - freeBytes);
}

/** Bytes on disk of the files below a directory. A file that is deleted during the count adds nothing. */
async function directoryBytes(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry) => {
    if (!entry.isFile()) return 0;
    const file = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    return file ? file.blocks * 512 : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}
