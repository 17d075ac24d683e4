import type { Log } from './base/log.ts';
import type { Db } from './metadata-store/database/database.ts';
import { customProviderRepository } from './metadata-store/models/custom-providers.ts';
import { secretRepository } from './metadata-store/secrets/secret-repository.ts';
import { listSealedTexts, type SealedText } from './domain/secrets/sealed-texts.ts';
import { keyIdOf, type SecretBox } from './domain/secrets/secret-box.ts';
import { KEY_FILE } from './encryption-key.ts';

// Encrypted texts of the database (secrets, credentials of custom providers) that this server cannot decrypt.

/** Maximum number of names in a message, which gives only the number of the others. */
const SHOWN_NAME_COUNT_MAX = 5;

/** An encrypted text without its content. */
export type ListedText = Pick<SealedText, 'name' | 'location' | 'sealed'>;

/** Both repositories, bound to a database. */
export const sealedRepositories = (db: Db) => ({
  secrets: secretRepository(db),
  providers: customProviderRepository(db),
});

export async function listTexts(db: Db): Promise<ListedText[]> {
  const found: ListedText[] = [];
  for await (const texts of listSealedTexts(sealedRepositories(db))) found.push(...texts);
  return found;
}

/** Texts that cannot be decrypted: without a key, all of them. */
export const findClosed = (box: SecretBox | undefined, texts: readonly ListedText[]): ListedText[] =>
  texts.filter(({ sealed, location }) => box?.open(sealed, location) === undefined);

/** Returns text such as `2 of 3 stored credentials (secret A, custom provider B), encrypted with key 1f2e3d4c`. */
export function describeClosed(closed: readonly ListedText[], texts: readonly ListedText[]): string {
  const names = closed.slice(0, SHOWN_NAME_COUNT_MAX).map(({ name }) => name);
  const others = closed.length - names.length;
  const shown = others > 0 ? `${names.join(', ')} and ${others} others` : names.join(', ');
  return `${closed.length} of ${texts.length} stored credentials (${shown}), encrypted with ${describeKeys(closed)}`;
}

function describeKeys(closed: readonly ListedText[]): string {
  const ids = [...new Set(closed.map(({ sealed }) => keyIdOf(sealed)))].sort();
  const known = ids.filter((id) => id !== undefined);
  const keys = known.length > 0 ? [`${known.length === 1 ? 'key' : 'keys'} ${known.join(', ')}`] : [];
  return [...keys, ...(ids.includes(undefined) ? ['a key of an earlier version'] : [])].join(' and ');
}

/** Logs at start which key is missing, with the credentials that it encrypted. */
export async function warnOfUndecryptableSecrets(
  db: Db,
  { box, isSecretSet, log }: { readonly box: SecretBox; readonly isSecretSet: boolean; readonly log: Log },
): Promise<void> {
  const texts = await listTexts(db);
  const closed = findClosed(box, texts);
  const { keyId, formerKeyIds } = box;
  if (texts.length > 0) log.info({ keyId, formerKeyIds }, 'Key of the stored credentials');
  if (closed.length === 0) return;
  const wayBack = isSecretSet
    ? `Add the previous value of SERVICE_SECRET to SERVICE_FORMER_SECRETS, or restore the file ${KEY_FILE} if that was in use`
    : `Stop the server and restore the file ${KEY_FILE} from a backup, or add the secret to SERVICE_FORMER_SECRETS if one was set before`;
  log.warn(
    { closedCount: closed.length, keyId },
    `The encryption key is lost or has changed: key ${keyId} cannot decrypt ${describeClosed(closed, texts)}. ${wayBack}; otherwise enter the credentials again`,
  );
}
