import { ownValue } from '../../base/own-value.ts';
import { keyNamesOf, MODEL_VENDORS, type ModelVendor } from '../../model/models/model-vendors.ts';
import { MODEL_PROVIDERS, type ModelProvider } from '../../model/prompts/prompt-parameters.ts';
import { allowsHost, type Secret } from '../../model/secrets/secret.ts';
import type { Ports } from '../ports.ts';
import { openSecret } from '../secrets/secret-value.ts';
import { type CallAddress, findAddress } from './call-address.ts';
import { type Way, waysOf } from './find-keys.ts';
import { isAllowed } from './model-settings.ts';

type Parts = Pick<Ports, 'secrets' | 'secretBox' | 'modelSettings'>;

/** Where the server finds a key. An unreadable secret was encrypted with a key that the server does not have. */
export type KeySource = 'STORED_SECRET' | 'UNREADABLE_SECRET' | 'ENVIRONMENT';

/**
 * What a call without keys of the request would meet. `OWN_IDENTITY`: there is no key, so that the call uses the identity
 * with which the server runs, if it has one.
 */
export type VendorStatus =
  | 'READY'
  | 'OWN_IDENTITY'
  | 'KEY_MISSING'
  | 'KEY_UNREADABLE'
  | 'KEY_BOUND_ELSEWHERE'
  | 'ADDRESS_MISSING'
  | 'NOT_ALLOWED';

/** A vendor, and what the server has for calls to it. */
export interface VendorState {
  readonly key: ModelProvider;
  readonly vendor: ModelVendor;
  readonly status: VendorStatus;
  /** Whether all required keys are in the environment or in stored secrets that can be decrypted. */
  readonly hasCredentials: boolean;
  /** All names under which keys are looked up. */
  readonly keys: readonly VendorKey[];
  /** Host that calls reach. Null when it depends on the region or is missing. */
  readonly host: string | null;
  /** Whether the environment sets the address. */
  readonly isAddressSet: boolean;
}

export interface VendorKey {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether it can replace the required keys. */
  readonly isAlternative: boolean;
  /** Undefined when the server has no such key. */
  readonly source: KeySource | undefined;
}

/** All vendors that the server knows, also those that the operator does not allow. */
export async function describeVendors(ports: Parts): Promise<VendorState[]> {
  const names = MODEL_PROVIDERS.flatMap((key) => keyNamesOf(MODEL_VENDORS[key]));
  const stored = await ports.secrets.findByKeys(names);
  return MODEL_PROVIDERS.map((key) => describeVendor(ports, key, stored));
}

/** The vendors that the operator allows. */
export async function listVendors(ports: Parts): Promise<VendorState[]> {
  return (await describeVendors(ports)).filter(({ status }) => status !== 'NOT_ALLOWED');
}

function describeVendor(
  { secretBox, modelSettings }: Parts,
  key: ModelProvider,
  stored: ReadonlyMap<string, Pick<Secret, 'key' | 'sealedValue' | 'hosts'>>,
): VendorState {
  const vendor = MODEL_VENDORS[key];
  const isVariable = (name: string) => ownValue(modelSettings.variables, name) !== undefined;
  const sourceOf = (name: string): KeySource | undefined => {
    const secret = stored.get(name);
    if (secret) return openSecret(secretBox, secret) === undefined ? 'UNREADABLE_SECRET' : 'STORED_SECRET';
    return isVariable(name) ? 'ENVIRONMENT' : undefined;
  };
  const ways = waysOf(vendor);
  // As for a call: a complete set of stored secrets counts before variables, and sources never mix.
  const storedWay = completeWay(ways, (name) => stored.has(name));
  const isUnreadable = storedWay?.needed.some((name) => sourceOf(name) === 'UNREADABLE_SECRET') ?? false;
  const hasKeys = storedWay !== undefined || completeWay(ways, isVariable) !== undefined;
  const address = findAddress(modelSettings, key, undefined);
  const isBoundElsewhere =
    address.host !== '' &&
    (storedWay?.needed.some((name) => !allowsHost(stored.get(name)?.hosts ?? null, address.host)) ?? false);
  const hasCredentials = ways.length === 0 || (hasKeys && !isUnreadable);
  return {
    ...{ key, vendor, hasCredentials },
    status: isAllowed(modelSettings, key)
      ? statusOf(vendor, address, { hasCredentials, isUnreadable, isBoundElsewhere })
      : 'NOT_ALLOWED',
    keys: [
      ...vendor.credentials.map((credential) => ({ ...credential, isAlternative: false })),
      ...vendor.otherKeyNames.map((name) => ({ name, isRequired: false, isAlternative: true })),
    ].map((one) => ({ ...one, source: sourceOf(one.name) })),
    host: address.host || null,
    isAddressSet: vendor.baseUrlVariable !== null && isVariable(vendor.baseUrlVariable),
  };
}

const completeWay = (ways: readonly Way[], has: (name: string) => boolean): Way | undefined =>
  ways.find(({ needed }) => needed.every(has));

interface KeyFacts {
  readonly hasCredentials: boolean;
  readonly isUnreadable: boolean;
  /** Whether a stored secret that a call would use is bound to other hosts than that of the call. */
  readonly isBoundElsewhere: boolean;
}

function statusOf(
  { sdk }: ModelVendor,
  { url, isOfVendor }: CallAddress,
  { hasCredentials, isUnreadable, isBoundElsewhere }: KeyFacts,
): VendorStatus {
  // The region of Bedrock is its address.
  if (url === undefined && sdk !== 'aws_bedrock') return 'ADDRESS_MISSING';
  if (isBoundElsewhere) return 'KEY_BOUND_ELSEWHERE';
  if (isUnreadable) return 'KEY_UNREADABLE';
  if (hasCredentials) return 'READY';
  if (sdk === 'aws_bedrock' || sdk === 'azure_openai') return 'OWN_IDENTITY';
  // Servers of models at another address than the vendor's need no key.
  return isOfVendor ? 'KEY_MISSING' : 'READY';
}
