import type { ProviderStatesData } from './generated/providers.ts';

export type Vendor = ProviderStatesData['modelProviderStates'][number];
export type VendorKey = Vendor['keys'][number];

/** A state in words. */
export interface VendorText {
  /** `open`: something is missing, which is no error for an unused vendor. */
  readonly tone: 'ok' | 'open' | 'wrong' | 'off';
  readonly word: string;
  /** What is missing, or where the keys come from. */
  readonly detail: string;
}

/**
 * What a run of this user would meet.
 *
 * @param inBrowser Names of the keys that this browser keeps.
 */
export function describeVendor(vendor: Vendor, inBrowser: ReadonlySet<string>): VendorText {
  const { status, keys, addressVariable, host } = vendor;
  if (status === 'NOT_ALLOWED') {
    return { tone: 'off', word: 'Not allowed', detail: 'SERVICE_ALLOWED_PROVIDERS excludes it.' };
  }
  if (status === 'ADDRESS_MISSING') {
    return {
      tone: 'open',
      word: 'Address missing',
      detail: `Set ${addressVariable} in the environment, or add a custom provider.`,
    };
  }
  const required = keys.filter((key) => key.isRequired);
  if (required.length > 0 && required.every(({ name }) => inBrowser.has(name))) {
    const detail = 'Your runs use the key in this browser.';
    return { tone: 'ok', word: status === 'READY' ? 'Ready' : 'Ready for you', detail };
  }
  switch (status) {
    case 'READY':
      return { tone: 'ok', word: 'Ready', detail: sourceText(vendor) };
    case 'OWN_IDENTITY':
      return {
        tone: 'open',
        word: 'No key',
        detail: 'Calls use the identity with which the server runs, if it has one.',
      };
    case 'KEY_UNREADABLE':
      return {
        tone: 'wrong',
        word: 'Key unreadable',
        detail: 'It was encrypted with a secret that the server no longer has. Store it again.',
      };
    case 'KEY_BOUND_ELSEWHERE':
      return {
        tone: 'wrong',
        word: 'Key bound elsewhere',
        detail: `The stored key may not go to ${host}. Store it again with that host.`,
      };
    default: {
      const isMixed = required.every(({ source }) => source !== null);
      const detail = isMixed
        ? 'The keys come from different sources, which are never combined.'
        : 'No run can use it yet.';
      return { tone: 'open', word: 'Key missing', detail };
    }
  }
}

/** What must be mended before a test can ask the vendor. Undefined when there is something to test. */
export function describeLack(vendor: Vendor, inBrowser: ReadonlySet<string>): string | undefined {
  const { name, status, keys, addressVariable, host } = vendor;
  const required = keys.filter((key) => key.isRequired);
  if (status === 'ADDRESS_MISSING') {
    return `There is no address of ${name} to test. Use “Add address”, or set ${addressVariable} on the server.`;
  }
  if (required.some((key) => inBrowser.has(key.name))) return undefined;
  switch (status) {
    case 'KEY_MISSING':
      return required.some(({ source }) => source !== null)
        ? undefined
        : `There is no key of ${name} to test. Add one under “Keys”, then test again.`;
    case 'KEY_BOUND_ELSEWHERE':
      return `The stored key of ${name} belongs to another host, so it was not sent to ${host}. Store it with that host under “Keys”, then test again.`;
    case 'KEY_UNREADABLE':
      return `The stored key of ${name} cannot be read. Store it again under “Keys”, then test again.`;
    default:
      return undefined;
  }
}

function sourceText({ keys, isAddressSet, addressVariable }: Vendor): string {
  if (keys.length === 0) return 'It needs no key.';
  const sources = new Set(keys.map(({ source }) => source));
  if (sources.has('STORED_SECRET')) return 'Runs use the stored secret.';
  if (sources.has('ENVIRONMENT')) return 'Runs use the key in the environment.';
  return isAddressSet ? `The address in ${addressVariable} needs no key.` : 'It needs no key.';
}

/** Where the server finds a key. */
export const sourceWord = ({ source }: VendorKey): string => {
  switch (source) {
    case 'STORED_SECRET':
      return 'stored secret';
    case 'UNREADABLE_SECRET':
      return 'unreadable secret';
    case 'ENVIRONMENT':
      return 'environment';
    default:
      return 'not on the server';
  }
};
