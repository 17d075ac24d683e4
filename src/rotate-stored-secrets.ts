import type { Log } from './base/log.ts';
import type { Config } from './config/config.ts';
import type { Db } from './metadata-store/database/database.ts';
import { type Rotation, rotateSecrets } from './domain/secrets/rotate-secrets.ts';
import { createSecretBox } from './domain/secrets/secret-box.ts';
import { withDatabaseWhileServerRuns } from './database-while-server-runs.ts';
import { findEncryptionKeys, KEY_FILE } from './encryption-key.ts';
import { sealedRepositories } from './undecryptable-secrets.ts';

/** Encrypts every stored credential with the current key, while servers run or not. */
export async function rotateStoredSecrets(
  config: Config,
  log: Log,
  onProgress: (line: string) => void,
): Promise<Rotation> {
  const { paths } = config;
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
  return withDatabaseWhileServerRuns(config, log, 'spandrel secrets rotate', rotate);
}
