import { randomBytes, scryptSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from './installation-id.ts';

/** File in the data directory, part of every backup. */
export const KEY_FILE = 'encryption-key';
const KEY_BYTES = 32;
/** Fixed, because several servers on one database must derive the same key. */
const SALT = 'spandrel encryption at rest';

/** Secrets of the settings. */
export interface SecretSettings {
  readonly secret: string | undefined;
  readonly formerSecrets: readonly string[];
}

export interface EncryptionKeys {
  /** Encrypts and decrypts. */
  readonly current: Buffer;
  /** Only decrypt. */
  readonly former: readonly Buffer[];
}

/**
 * Returns the key that encrypts secrets at rest, and those that only decrypt. A key is derived from a secret of the
 * settings; without a secret, it is random and stored in a file that only this user can read. That file decrypts also
 * after a secret was set.
 *
 * @throws {Error} for an invalid key file
 */
export const readEncryptionKeys = async (dataDir: string, settings: SecretSettings): Promise<EncryptionKeys> =>
  (await findEncryptionKeys(dataDir, settings)) ?? {
    current: await makeKeyFile(dataDir),
    former: settings.formerSecrets.map(deriveKey),
  };

/** Like `readEncryptionKeys`, but returns undefined when the key file is needed and does not exist yet. */
export async function findEncryptionKeys(
  dataDir: string,
  { secret, formerSecrets }: SecretSettings,
): Promise<EncryptionKeys | undefined> {
  const fileKey = await findKeyFile(dataDir);
  const former = formerSecrets.map(deriveKey);
  if (secret !== undefined) return { current: deriveKey(secret), former: fileKey ? [...former, fileKey] : former };
  return fileKey && { current: fileKey, former };
}

const deriveKey = (secret: string): Buffer => scryptSync(secret, SALT, KEY_BYTES);

async function findKeyFile(dataDir: string): Promise<Buffer | undefined> {
  const path = join(dataDir, KEY_FILE);
  const key = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (key === undefined || key.byteLength === KEY_BYTES) return key;
  throw new Error(
    `${path} has ${key.byteLength} bytes, but a key has ${KEY_BYTES}. Restore it from a backup. Without a backup the stored credentials are lost; remove the file to create a new key.`,
  );
}

/** Makes the key durable before it is used, because data encrypted with a lost key is lost. */
async function makeKeyFile(dataDir: string): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  await writeDurably(dataDir, KEY_FILE, key, 0o600);
  return key;
}
