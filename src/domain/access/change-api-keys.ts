import type { ApiKey, KeyScope } from '../../model/access/api-key.ts';
import { isAdmin, type SignedInCaller } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import { KEY_PROJECT_COUNT_MAX, KEY_TEXT_LENGTH_MAX } from '../../model/limits/access.ts';
import { projectNameProblem } from '../../model/projects/project.ts';
import { formatUnixNano } from '../../model/time/datetime.ts';
import { toStoredName } from '../../metadata-store/projects/stored-name.ts';
import type { AccessPorts } from './access-ports.ts';
import { type AuditParts, recorded } from './audit.ts';
import { signInPorts } from './sign-in/sign-in.ts';

type Parts = Pick<AccessPorts, 'users' | 'apiKeys' | 'signIn'> & AuditParts;

export interface ApiKeyInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly expiresAtUnixNano?: bigint | null | undefined;
  readonly scope?: KeyScope | undefined;
  /** Names of the only projects that the key reaches. They need not exist. Absent or null: all of its owner. */
  readonly projects?: readonly string[] | null | undefined;
}

/** A key and its text, which is not stored and shown only now. */
export interface CreatedApiKey {
  readonly key: ApiKey;
  readonly text: string;
}

/** @throws {SpandrelError} `ACCESS_DENIED`, `API_KEY_INVALID`, `SIGN_IN_OFF` */
export async function createUserApiKey(ports: Parts, input: ApiKeyInput): Promise<CreatedApiKey> {
  const caller = signedIn(ports);
  if (caller.credential === 'systemKey') throw manageSystemKeysElsewhere();
  // The command-line client creates the key of a project that it sets up. Other applications could outlive their grants so.
  if (caller.credential !== 'session' && !caller.app?.isFirstParty) throw keysCreateNoKeys();
  if (input.scope === 'SCIM') throw new SpandrelError('API_KEY_INVALID', 'Only a system key can have the scope SCIM');
  return createKey(ports, 'user-key', caller.user.rowId, input);
}

/** @throws {SpandrelError} `ACCESS_DENIED`, `API_KEY_INVALID`, `SIGN_IN_OFF` */
export async function createSystemApiKey(ports: Parts, input: ApiKeyInput): Promise<CreatedApiKey> {
  const caller = signedIn(ports);
  if (caller.credential !== 'session' && caller.credential !== 'adminSecret') throw keysCreateNoKeys();
  const system = await ports.users.findSystemUser();
  if (system === undefined) throw new Error('The internal account is created at the start');
  return createKey(ports, 'system-key', system.rowId, input);
}

type KeyKind = 'user-key' | 'system-key';

const toTarget = ({ rowId, name }: ApiKey) => ({ kind: 'ApiKey', id: String(rowId), name });

async function createKey(ports: Parts, kind: KeyKind, userRowId: number, input: ApiKeyInput): Promise<CreatedApiKey> {
  const name = input.name.trim();
  const description = input.description?.trim() || null;
  if (name === '') throw new SpandrelError('API_KEY_INVALID', 'A key needs a name');
  if (name.length + (description?.length ?? 0) > KEY_TEXT_LENGTH_MAX) {
    throw new SpandrelError('API_KEY_INVALID', 'The name and description of the key are too long');
  }
  const rowId = await ports.apiKeys.allocateRowId();
  const { text, hash } = signInPorts(ports).tokens.mint('ApiKey', rowId);
  const fields = {
    rowId,
    userRowId,
    hash,
    name,
    description,
    lastCharacters: text.slice(-4),
    scope: input.scope ?? 'ALL',
    projects: input.projects ? checkedProjects(input.projects) : null,
    expiresAtUnixNano: input.expiresAtUnixNano ?? null,
  };
  return recorded(ports, async ({ apiKeys }) => {
    const key = await apiKeys.create(fields);
    const after = {
      name,
      scope: key.scope,
      projects: key.projects,
      expiresAt: key.expiresAtUnixNano === null ? null : formatUnixNano(key.expiresAtUnixNano),
    };
    return {
      result: { key, text },
      entry: { action: `${kind}.create`, outcome: 'DONE', target: toTarget(key), after },
    };
  });
}

function checkedProjects(names: readonly string[]): string[] {
  const distinct = [...new Set(names.map(toStoredName))];
  const problem = names.map(projectNameProblem).find((one) => one !== undefined);
  if (problem !== undefined) throw new SpandrelError('API_KEY_INVALID', problem);
  if (distinct.length > 0 && distinct.length <= KEY_PROJECT_COUNT_MAX) return distinct;
  throw new SpandrelError('API_KEY_INVALID', `A key names 1 to ${KEY_PROJECT_COUNT_MAX} projects, or none for all`);
}

/**
 * Deletes a key of a user: the owner's own, or any as an administrator.
 *
 * @param reportsDenial Whether the error of a caller who is no administrator is `ACCESS_DENIED`, as GraphQL clients expect, for a key
 *   of another user and for one that does not exist
 * @throws {SpandrelError} `API_KEY_NOT_FOUND`, also for a key of another user; `ACCESS_DENIED`
 */
export async function deleteUserApiKey(
  ports: Parts,
  rowId: number,
  { reportsDenial = false }: { readonly reportsDenial?: boolean } = {},
): Promise<ApiKey> {
  const caller = signedIn(ports);
  if (caller.credential === 'systemKey') throw manageSystemKeysElsewhere();
  const key = (await ports.apiKeys.findByRowIds([rowId])).get(rowId);
  const isOwn = key?.userRowId === caller.user.rowId;
  if (reportsDenial && !isOwn && !isAdmin(caller)) {
    throw new SpandrelError('ACCESS_DENIED', 'User not authorized to delete this API key');
  }
  if (key === undefined || !(isOwn || isAdmin(caller)) || (await isSystemKey(ports, key))) {
    throw new SpandrelError('API_KEY_NOT_FOUND', 'API key not found');
  }
  await deleteKey(ports, 'user-key', key);
  return key;
}

/** @throws {SpandrelError} `API_KEY_NOT_FOUND` */
export async function deleteSystemApiKey(ports: Parts, rowId: number): Promise<ApiKey> {
  const key = (await ports.apiKeys.findByRowIds([rowId])).get(rowId);
  if (key === undefined || !(await isSystemKey(ports, key))) {
    throw new SpandrelError('API_KEY_NOT_FOUND', 'System API key not found');
  }
  await deleteKey(ports, 'system-key', key);
  return key;
}

async function deleteKey(ports: Parts, kind: KeyKind, key: ApiKey): Promise<void> {
  await recorded(ports, async ({ apiKeys }) => {
    await apiKeys.delete(key.rowId);
    return { result: undefined, entry: { action: `${kind}.delete`, outcome: 'DONE', target: toTarget(key) } };
  });
  await ports.signIn?.credentials.sync();
}

const isSystemKey = async ({ users }: Parts, { userRowId }: ApiKey): Promise<boolean> =>
  (await users.findByRowIds([userRowId])).get(userRowId)?.role === 'SYSTEM';

function signedIn({ caller }: Parts): SignedInCaller {
  if (caller.kind === 'signedIn') return caller;
  throw new SpandrelError('SIGN_IN_OFF', 'Authentication must be enabled to manage API keys');
}

const keysCreateNoKeys = () => new SpandrelError('ACCESS_DENIED', 'API keys cannot create API keys');
const manageSystemKeysElsewhere = () =>
  new SpandrelError('ACCESS_DENIED', 'System API keys must be managed through the /system/api_keys endpoints.');
