import { mkdir } from 'node:fs/promises';
import type { Log } from './base/log.ts';
import type { SpanStore } from './span-store/contract/span-store.ts';
import { openSpanStore } from './span-store/open-span-store.ts';
import type { StoreCheckpoint } from './span-store/thread/span-store-options.ts';
import { listAdminEmails } from './metadata-store/access/admin-emails.ts';
import { claimMail, releaseMail } from './metadata-store/access/sent-mails.ts';
import type { Db } from './metadata-store/database/database.ts';
import { recordCheckpoint } from './metadata-store/database/installation.ts';
import { type MetadataStore, openMetadataStore } from './metadata-store/metadata-store.ts';
import { openProjectResolver } from './metadata-store/projects/project-resolver.ts';
import { deleteProject } from './metadata-store/projects/projects.ts';
import { lockDataDirectory } from './ingest/data-directory/data-directory-lock.ts';
import type { Ingest } from './ingest/ingest.ts';
import { openIngest } from './ingest/open-ingest.ts';
import type { Mailer } from './mail/mailer.ts';
import { openMailer } from './mail/open-mailer.ts';
import { createSecretBox, type SecretBox } from './domain/secrets/secret-box.ts';
import { openStorageGuard, type StorageGuard } from './jobs/storage-guard.ts';
import { createStorageWarning, type StorageWarning } from './jobs/storage-warning.ts';
import { readEncryptionKeys } from './encryption-key.ts';
import { readInstallationId } from './installation-id.ts';
import { openParts } from './open-parts.ts';
import type { Runtime } from './prepare-runtime.ts';
import { claimDatabase, reconcile } from './reconcile.ts';
import { warnOfUndecryptableSecrets } from './undecryptable-secrets.ts';
import { usedBytes } from './used-bytes.ts';

/** The data directory of this process: the stores, and the ingest pipeline that writes to them. */
export interface Stores {
  readonly metadata: MetadataStore;
  readonly spanStore: SpanStore;
  readonly ingest: Ingest;
  readonly secretBox: SecretBox;
  readonly storage: StorageGuard;
  /** Undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  /** Flushes and closes all of them. */
  close(): Promise<void>;
}

/** First stage. Locks the data directory and creates what it lacks. */
export const openStores = (runtime: Runtime): Promise<Stores> =>
  openParts(async (keep) => {
    const { config, log } = runtime;
    const { paths } = config;
    await mkdir(paths.dataDir, { recursive: true });
    const lock = await lockDataDirectory(paths.dataDir);
    keep({ close: () => lock.release() });
    const encryptionKeys = await readEncryptionKeys(paths.dataDir, config);
    const installationId = await readInstallationId(paths.dataDir);

    const metadata = keep(await openMetadata(runtime));
    await claimDatabase(metadata.db, installationId, metadata.describe());
    const secretBox = createSecretBox(encryptionKeys.current, encryptionKeys.former);
    await warnOfUndecryptableSecrets(metadata.db, { box: secretBox, isSecretSet: config.secret !== undefined, log });
    const projectNames = keep(
      openProjectResolver({
        db: metadata.db,
        isSignInOn: config.access.enabled,
        log: log.child({ part: 'metadata-store' }),
      }),
    );

    // Closed after the span store, whose last checkpoint is recorded too.
    const checkpoints = keep(createCheckpointRecorder(metadata.db, log));
    const spanStore = keep(
      await openSpanStore({
        onCheckpoint: checkpoints.record,
        dir: paths.spanStoreDir,
        memory: runtime.memory.store,
        resolveProjects: showProjects(metadata, (names, position) => projectNames.resolve(names, position)),
        removeProject: async (project, position) => {
          await deleteProject(metadata.db, project, position);
          await metadata.replica?.recordWriteForAll();
        },
        log: log.child({ part: 'span-store' }),
        registry: runtime.registry,
      }),
    );
    const ingest = keep(await openPipeline(runtime, { metadata, spanStore }));
    const mailer = config.mail && keep(await openMailer({ ...mailerOptions(runtime), server: config.mail }));
    const storage = keep(
      await openStorageGuard({
        ...config.capacity,
        warning: mailer && toStorageWarning(runtime, metadata.db, mailer),
        usedBytes: () => usedBytes(spanStore, [paths.journalDir, paths.metadataStoreDir]),
        log,
        registry: runtime.registry,
      }),
    );
    return { metadata, spanStore, ingest, secretBox, storage, mailer };
  });

/** Records in the database what the span store contains, so that an older copy is recognized. */
function createCheckpointRecorder(db: Db, log: Log) {
  let recording: Promise<void> = Promise.resolve();
  return {
    record(checkpoint: StoreCheckpoint) {
      recording = recordCheckpoint(db, checkpoint).catch((error: Error) =>
        log.debug({ error: error.message }, 'Could not record a checkpoint in the database; the next one is recorded'),
      );
    },
    close: () => recording,
  };
}

type ResolveProjects = (names: readonly string[], position: number) => Promise<ReadonlyMap<string, number>>;

/** Spans of a new project are visible at once, so every reader of a replica must find the project there. */
function showProjects({ replica }: MetadataStore, resolve: ResolveProjects): ResolveProjects {
  if (!replica) return resolve;
  const known = new Set<number>();
  return async (names, position) => {
    const rowIds = await resolve(names, position);
    const newCount = [...rowIds.values()].filter((rowId) => !known.has(rowId)).length;
    if (newCount > 0) await replica.recordWriteForAll();
    for (const rowId of rowIds.values()) known.add(rowId);
    return rowIds;
  };
}

const mailerOptions = ({ config, log, rootUrl }: Runtime) => ({
  rootUrl: rootUrl.get,
  supportEmail: config.capacity.supportEmail,
  log: log.child({ part: 'mail' }),
});

function toStorageWarning({ config, log }: Runtime, db: Db, mailer: Mailer): StorageWarning | undefined {
  const { warningPercent, capacityBytes } = config.capacity;
  if (warningPercent === undefined || capacityBytes === undefined) return undefined;
  const kind = 'storageWarning';
  return createStorageWarning(
    warningPercent,
    {
      adminEmails: () => listAdminEmails(db),
      claim: (recipients, intervalHours) => claimMail(db, kind, recipients, intervalHours),
      release: (recipients, intervalHours) => releaseMail(db, kind, recipients, intervalHours),
      send: async (to, usedPercent) => (await mailer.sendStorageWarning({ to, usedPercent, capacityBytes })) === 'sent',
    },
    log,
  );
}

const openMetadata = ({ config: { metadata, paths }, log, registry }: Runtime): Promise<MetadataStore> =>
  openMetadataStore({
    dataDir: paths.metadataStoreDir,
    url: metadata.databaseUrl,
    readReplicaUrl: metadata.readReplicaUrl,
    identity: metadata.identity,
    schema: metadata.schema,
    logSql: metadata.logStatements,
    migrate: metadata.migrate,
    log: log.child({ part: 'metadata-store' }),
    registry,
  });

const openPipeline = (
  { config, memory, decodesLazily = false, log, registry, bodyBudget, onFatal }: Runtime,
  { metadata, spanStore }: Pick<Stores, 'metadata' | 'spanStore'>,
): Promise<Ingest> =>
  openIngest({
    bodyBudget,
    limits: { inFlightBytesMax: memory.bodyBytesMax },
    pool: {
      threadCount: memory.decodeThreadCount,
      startsLazily: decodesLazily,
      heapBytesMax: memory.decodeHeapBytesMax,
      jsonSignCountMax: memory.jsonSignCountMax,
    },
    dir: config.paths.journalDir,
    storeDir: config.paths.spanStoreDir,
    writer: spanStore,
    log: log.child({ part: 'ingest' }),
    registry,
    graceMs: config.ingest.journalGraceMs,
    maxQueuedSpans: config.ingest.queuedSpanCountMax,
    usesServiceName: config.ingest.usesServiceName,
    beforeApplying: (journal) =>
      reconcile({ db: metadata.db, spanStore, journal, isSignInOn: config.access.enabled, log }),
    afterReplay: () => spanStore.checkpoint(),
    onFatal,
  });
