import type { NewAuditEntry } from '../../model/access/audit-entry.ts';
import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import { SECRET_CHANGE_COUNT_MAX } from '../../model/limits/secrets.ts';
import {
  findSecretHostsProblem,
  findSecretKeyProblem,
  findSecretValueProblem,
  NO_SECRETS,
  normalizeSecretHost,
  type Secret,
  type SecretChange,
} from '../../model/secrets/secret.ts';
import { type AuditParts, recorded } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import type { SecretBox } from './secret-box.ts';
import { sealSecret } from './secret-value.ts';

type Parts = Pick<Ports, 'secretBox'> & AuditParts;

export interface ChangedSecrets {
  /** The last change of the request first. */
  readonly stored: readonly Secret[];
  /** Keys, also of secrets that did not exist, in the same order. */
  readonly deletedKeys: readonly string[];
}

/**
 * Stores the secrets with a value and deletes those without, in one transaction. Of several changes of a key, the last
 * one counts. A redacted value stands for the value that it was made of.
 *
 * @throws {SpandrelError} `SECRET_INVALID`, `QUERY_INVALID` for a redacted value of another server
 */
export async function upsertOrDeleteSecrets(ports: Parts, changes: readonly SecretChange[]): Promise<ChangedSecrets> {
  const { secretBox, caller } = ports;
  const last = lastOfEachKey(checkChanges(changes, secretBox));
  const userRowId = authorOf(caller);
  const toStore = last.flatMap(({ key, value, hosts }) => {
    if (value === null) return [];
    const sealedValue = sealSecret(secretBox, key, value);
    return [{ key, sealedValue, userRowId, ...(hosts !== undefined && { hosts: checkHosts(hosts) }) }];
  });
  const deletedKeys = last.filter(({ value }) => value === null).map(({ key }) => key);
  return recorded(ports, async ({ secrets }) => {
    const changed = await secrets.change({ toStore, toDelete: deletedKeys });
    const stored = last.flatMap(({ key }) => changed.get(key) ?? []);
    return { result: { stored, deletedKeys }, entry: toEntry(stored, deletedKeys) };
  });
}

/** One entry for all keys of a request. It contains no value. */
function toEntry(stored: readonly Secret[], deletedKeys: readonly string[]): NewAuditEntry {
  const storedKeys = stored.map(({ key }) => key);
  const keys = [...storedKeys, ...deletedKeys];
  return {
    action: storedKeys.length > 0 ? 'secret.set' : 'secret.delete',
    outcome: 'DONE',
    target: { kind: 'Secret', ...(keys.length === 1 && { id: keys[0] }), name: listKeys(keys) },
    after: {
      storedKeys,
      deletedKeys,
      hosts: stored.flatMap(({ key, hosts }) => (hosts ? [`${key}: ${hosts.join(' ')}`] : [])),
    },
  };
}

/** Keys and values without surrounding blanks. */
function checkChanges(changes: readonly SecretChange[], box: SecretBox): SecretChange[] {
  if (changes.length === 0) return invalid(NO_SECRETS);
  if (changes.length > SECRET_CHANGE_COUNT_MAX) {
    return invalid(`A request may change at most ${SECRET_CHANGE_COUNT_MAX} secrets, but has ${changes.length}`);
  }
  return changes.map((change) => {
    const key = change.key.trim();
    if (key === '') return invalid('Key cannot be empty');
    const problem = findSecretKeyProblem(key);
    if (problem !== undefined) return invalid(problem);
    return {
      ...change,
      key,
      value: change.value === null ? null : checkValue(box.restore(change.value.trim()).trim()),
    };
  });
}

function checkValue(value: string): string {
  const problem = findSecretValueProblem(value);
  return problem === undefined ? value : invalid(problem);
}

function checkHosts(hosts: readonly string[] | null): string[] | null {
  if (hosts === null) return null;
  const problem = findSecretHostsProblem(hosts);
  if (problem !== undefined) return invalid(problem);
  return [...new Set(hosts.flatMap((host) => normalizeSecretHost(host) ?? []))];
}

/** In reverse order. */
function lastOfEachKey(changes: readonly SecretChange[]): SecretChange[] {
  const seen = new Set<string>();
  return changes.toReversed().filter(({ key }) => {
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const invalid = (message: string): never => {
  throw new SpandrelError('SECRET_INVALID', message);
};

/** The first keys, because a request may have many. */
const listKeys = (keys: readonly string[]): string =>
  keys.length <= 3 ? keys.join(', ') : `${keys.slice(0, 3).join(', ')} and ${keys.length - 3} more`;
