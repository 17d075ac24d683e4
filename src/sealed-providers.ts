import type { Log } from './base/log.ts';
import { PAGE_ROW_COUNT_MAX } from './model/limits.ts';
import type { CustomProvider } from './model/models/custom-provider.ts';
import type { Db } from './metadata-store/database/database.ts';
import { customProviderRepository } from './metadata-store/models/custom-providers.ts';
import { openConfig } from './domain/providers/provider-config.ts';
import type { SecretBox } from './domain/secrets/secret-box.ts';
import { KEY_FILE } from './encryption-key.ts';

// The credentials of custom providers are the only encrypted data in the database.

/** Maximum number of names in a message, which gives only the number of the others. */
const SHOWN_NAME_COUNT_MAX = 5;

export async function listProviders(db: Db): Promise<CustomProvider[]> {
  const rows = customProviderRepository(db);
  const found: CustomProvider[] = [];
  for (let beforeRowId: number | undefined; ; beforeRowId = found.at(-1)?.rowId) {
    const page = await rows.list({ limit: PAGE_ROW_COUNT_MAX, ...(beforeRowId !== undefined && { beforeRowId }) });
    found.push(...page.items);
    if (page.nextRowId === undefined) return found;
  }
}

/** Providers whose credentials cannot be decrypted: without a key, all of them. */
export const findClosed = (box: SecretBox | undefined, providers: readonly CustomProvider[]): CustomProvider[] =>
  providers.filter((provider) => !box || !('type' in openConfig(box, provider)));

/** Returns text such as `the credentials of 2 of 3 custom providers (one, two)`. */
export function describeClosed(closed: readonly CustomProvider[], providers: readonly CustomProvider[]): string {
  const names = closed.slice(0, SHOWN_NAME_COUNT_MAX).map(({ name }) => name);
  return `the credentials of ${closed.length} of ${providers.length} custom providers (${names.join(', ')})`;
}

/** Logs at start that the key is missing, or differs from the key that encrypted the credentials. */
export async function warnOfClosedProviders(
  db: Db,
  { box, isSecretSet, log }: { readonly box: SecretBox; readonly isSecretSet: boolean; readonly log: Log },
): Promise<void> {
  const providers = await listProviders(db);
  const closed = findClosed(box, providers);
  if (closed.length === 0) return;
  const wayBack = isSecretSet
    ? `Set SERVICE_SECRET to its previous value, or unset it if the file ${KEY_FILE} was in use`
    : `Stop the server and restore the file ${KEY_FILE} from a backup, or set SERVICE_SECRET if it was set before`;
  log.warn(
    { closedCount: closed.length },
    `The encryption key is lost or has changed: it cannot decrypt ${describeClosed(closed, providers)}. ${wayBack}; otherwise enter the credentials again`,
  );
}
