import { SpandrelError } from '../../model/errors.ts';

/** Why no operation may add data at present, for users. Undefined while storage is below its limit. */
export type StorageLock = () => string | undefined;

/**
 * The rule of every API for an operation that is declared `blockedWhenStorageFull`. Deletions are not declared so, because
 * they are how a user frees storage.
 */
export function storageFullError(lock: StorageLock): SpandrelError | undefined {
  const reason = lock();
  return reason === undefined ? undefined : new SpandrelError('STORAGE_FULL', reason);
}
