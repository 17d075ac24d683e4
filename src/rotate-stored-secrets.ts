import { existsSync } from 'node:fs';
import type { Log } from './base/log.ts';
import type { Config } from './config/config.ts';
import type { Db } from './metadata-store/database/database.ts';
import { withDatabaseOfServer } from './metadata-store/database/open-beside-server.ts';
import { lockDataDirectory } from './ingest/data-directory/data-directory-lock.ts';
import { type Rotation, rotateSecrets } from './domain/secrets/rotate-secrets.ts';
import { createSecretBox } from './domain/secrets/secret-box.ts';
import { sealedRepositories } from './closed-texts.ts';
import { findEncryptionKeys, KEY_FILE } from './encryption-key.ts';
import { withMetadata } from './offline.ts';

const CLIENT_NAME = 'spandrel secrets rotate';

/** Encrypts every stored credential with the current key, while servers run or not. */
export async function rotateStoredSecrets(
  config: Config,
  log: Log,
  onProgress: (line: string) => void,
): Promise<Rotation> {
  const { paths, metadata } = config;
  const keys = await findEncryptionKeys(paths.dataDir, config);
  if (!keys) {
    throw new Error(
      `There is no key: SERVICE_SECRET is unset, and ${paths.dataDir} has no file ${KEY_FILE}. Set SERVICE_WORKING_DIR and SERVICE_SECRET as for the server.`,
    );
  }
  const secretBox = createSecretBox(keys.current, keys.former);
  onProgress(`Encrypting with key ${secretBox.keyId}; former keys: ${secretBox.formerKeyIds.join(', ') || 'none'}`);
  const rotate = (db: Db) =>
    rotateSecrets({ ...sealedRepositories(db), secretBox }, (count) => onProgress(`${count} credentials read`));
  const done = await withDatabaseOfServer(
    {
      url: metadata.databaseUrl,
      identity: metadata.identity,
      dataDir: paths.metadataStoreDir,
      schema: metadata.schema,
      clientName: CLIENT_NAME,
      log,
    },
    rotate,
  );
  return done ? done.result : rotateStopped(config, log, rotate);
}

/** Starts the embedded Postgres for the time of the rotation. */
async function rotateStopped(config: Config, log: Log, rotate: (db: Db) => Promise<Rotation>): Promise<Rotation> {
  const { paths } = config;
  if (!existsSync(paths.metadataStoreDir)) {
    throw new Error(
      `There is no database: ${paths.metadataStoreDir} does not exist. Set SERVICE_WORKING_DIR to the data directory of the server.`,
    );
  }
  const lock = await lockDataDirectory(paths.dataDir);
  try {
    return await withMetadata(config, log, CLIENT_NAME, ({ db }) => rotate(db));
  } finally {
    await lock.release();
  }
}
