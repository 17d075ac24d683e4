import { randomBytes, scryptSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from './installation-id.ts';

/** File in the data directory, part of every backup. */
export const KEY_FILE = 'encryption-key';
const KEY_BYTES = 32;
/** Fixed, because several servers on one database must derive the same key. */
const SALT = 'spandrel encryption at rest';

/**
 * Returns the key that encrypts secrets at rest. It is derived from the secret of the settings; without one, it is
 * random and stored in a file that only this user can read.
 *
 * @throws {Error} for an invalid key file
 */
export const readEncryptionKey = async (dataDir: string, secret: string | undefined): Promise<Buffer> =>
  (await findEncryptionKey(dataDir, secret)) ?? makeKeyFile(dataDir);

/** Like `readEncryptionKey`, but returns undefined when the key file does not exist yet. */
export async function findEncryptionKey(dataDir: string, secret: string | undefined): Promise<Buffer | undefined> {
  if (secret !== undefined) return scryptSync(secret, SALT, KEY_BYTES);
  const path = join(dataDir, KEY_FILE);
  const key = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (key === undefined || key.byteLength === KEY_BYTES) return key;
  throw new Error(
    `${path} has ${key.byteLength} bytes, but a key has ${KEY_BYTES}. Restore it from a backup. Without a backup the credentials of custom providers are lost; remove the file to create a new key.`,
  );
}

/** Makes the key durable before it is used, because data encrypted with a lost key is lost. */
async function makeKeyFile(dataDir: string): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  await writeDurably(dataDir, KEY_FILE, key, 0o600);
  return key;
}
