import { ownValue } from '../../base/own-value.ts';
import { MODEL_VENDORS, type ModelVendor } from '../../model/models/model-vendors.ts';
import type { RequestCredentials } from '../../model/playground/chat-task.ts';
import type { ModelProvider } from '../../model/prompts/prompt-parameters.ts';
import { allowsHost } from '../../model/secrets/secret.ts';
import type { Ports } from '../ports.ts';
import { hostDenied, openSecretFor } from '../secrets/secret-value.ts';
import type { CallAddress } from './call-address.ts';

type Parts = Pick<Ports, 'secrets' | 'secretBox' | 'modelSettings'>;

/** Values by the names of their variables. All of one source: keys of a user never mix with those of the server. */
type Keys = ReadonlyMap<string, string>;

/**
 * Finds the credentials of a call: those of the request, else stored secrets, else variables of the environment. A key that
 * the caller did not send goes to an address that only the caller has chosen when an administrator has bound the key to that
 * host: a stored secret by its hosts, a variable by the setting `MODEL_KEY_HOSTS`. Undefined when no source has them.
 *
 * @throws {SpandrelError} `SECRET_HOST_DENIED`, `SECRET_UNREADABLE`
 */
export async function findKeys(
  ports: Parts,
  provider: ModelProvider,
  credentials: RequestCredentials,
  address: CallAddress,
): Promise<Keys | undefined> {
  const vendor = MODEL_VENDORS[provider];
  const ways = waysOf(vendor);
  if (ways.length === 0) return undefined;
  return (
    pick(ways, (name) => ownValue(credentials, name)) ??
    (await findStored(ports, ways, address)) ??
    findVariables(ports, ways, address)
  );
}

/** Sets of names, each of which is enough to call the vendor. Empty for a vendor without keys. */
export const waysOf = ({ credentials, otherKeyNames }: ModelVendor): readonly Way[] => {
  if (credentials.length === 0) return [];
  const needed = credentials.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const optional = credentials.filter(({ isRequired }) => !isRequired).map(({ name }) => name);
  return [{ needed, optional }, ...otherKeyNames.map((name) => ({ needed: [name], optional: [] }))];
};

export interface Way {
  readonly needed: readonly string[];
  readonly optional: readonly string[];
}

/** The values of the first way of which all needed ones are there. */
function pick(ways: readonly Way[], find: (name: string) => string | undefined): Keys | undefined {
  for (const { needed, optional } of ways) {
    const found = new Map<string, string>();
    for (const name of [...needed, ...optional]) {
      const value = find(name)?.trim();
      if (value) found.set(name, value);
    }
    if (needed.every((name) => found.has(name))) return found;
  }
  return undefined;
}

async function findStored(
  { secrets, secretBox }: Parts,
  ways: readonly Way[],
  { host, isOfCaller }: CallAddress,
): Promise<Keys | undefined> {
  const names = ways.flatMap(({ needed, optional }) => [...needed, ...optional]);
  const stored = await secrets.findByKeys(names);
  const way = ways.find(({ needed }) => needed.every((name) => stored.has(name)));
  if (way === undefined) return undefined;
  const keys = new Map<string, string>();
  for (const name of [...way.needed, ...way.optional]) {
    const secret = stored.get(name);
    if (secret === undefined) continue;
    // Null hosts mean any host that an administrator has chosen.
    if (isOfCaller && secret.hosts === null) throw hostDenied(`The stored secret ${name}`, host);
    keys.set(name, openSecretFor(secretBox, secret, host));
  }
  return keys;
}

function findVariables({ modelSettings }: Parts, ways: readonly Way[], address: CallAddress): Keys | undefined {
  const keys = pick(ways, (name) => ownValue(modelSettings.variables, name));
  for (const name of keys?.keys() ?? []) checkVariableHost(modelSettings, name, address);
  return keys;
}

/**
 * Checks that a credential of the environment may go to an address.
 *
 * @throws {SpandrelError} `SECRET_HOST_DENIED`
 */
export function checkVariableHost(
  { keyHosts }: Ports['modelSettings'],
  name: string,
  { host, isOfCaller }: CallAddress,
): void {
  if (!isOfCaller) return;
  if (!allowsHost(keyHosts.get(name) ?? [], host)) throw hostDenied(`The server's ${name}`, host);
}
