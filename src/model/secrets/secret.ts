import { SECRET_HOST_COUNT_MAX, SECRET_KEY_CHARS_MAX, SECRET_VALUE_CHARS_MAX } from '../limits/secrets.ts';

/** A named credential of a model vendor, such as `OPENAI_API_KEY`. */
export interface Secret {
  readonly key: string;
  /** The encrypted value. */
  readonly sealedValue: Buffer;
  /** Hosts that may receive the value, as `normalizeSecretHost` writes them. Null: any host. */
  readonly hosts: readonly string[] | null;
  /** The user who stored the value. Null when that user is deleted, or did not sign in. */
  readonly userRowId: number | null;
  readonly updatedAt: Date;
}

/** A secret to store, or with the value null to delete. */
export interface SecretChange {
  readonly key: string;
  readonly value: string | null;
  /** Absent: a stored secret keeps its hosts. Null: any host. */
  readonly hosts?: readonly string[] | null | undefined;
}

export const NO_SECRETS = 'At least one secret is required';
export const VALUE_EMPTY = 'Value cannot be empty';

/** Returns why a key without surrounding blanks is not the key of a secret. */
export function findSecretKeyProblem(key: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) {
    return 'Key must start with a letter or underscore and contain only letters, digits, and underscores';
  }
  return key.length <= SECRET_KEY_CHARS_MAX ? undefined : `Key must have at most ${SECRET_KEY_CHARS_MAX} characters`;
}

/** Returns why a value without surrounding blanks cannot be stored. The text never contains the value. */
export function findSecretValueProblem(value: string): string | undefined {
  if (value === '') return VALUE_EMPTY;
  return value.length <= SECRET_VALUE_CHARS_MAX
    ? undefined
    : `Value must have at most ${SECRET_VALUE_CHARS_MAX} characters`;
}

/** Returns why a secret cannot be bound to these hosts. */
export function findSecretHostsProblem(hosts: readonly string[]): string | undefined {
  if (hosts.length === 0) return 'Hosts must contain at least one host; null allows any host';
  if (hosts.length > SECRET_HOST_COUNT_MAX) return `Hosts must contain at most ${SECRET_HOST_COUNT_MAX} hosts`;
  const isWrong = hosts.some((host) => normalizeSecretHost(host) === undefined);
  return isWrong ? 'Hosts must be host names without a port, such as api.openai.com or *.example.com' : undefined;
}

/**
 * The host name as URLs write it: lower case, Punycode, addresses in their usual notation, no dot at the end. `*.` at
 * the start stands for all subdomains. Undefined when the text is no host name.
 */
export function normalizeSecretHost(text: string): string | undefined {
  const [, wildcard = '', name = ''] = /^(\*\.)?(.+)$/.exec(text.trim()) ?? [];
  // Other characters would be another part of the URL.
  if (!/^(\[[\da-f:.]+\]|[^\s:/?#@\\*[\]%]+)$/i.test(name) || !URL.canParse(`https://${name}`)) return undefined;
  const host = new URL(`https://${name}`).hostname.replace(/\.$/, '');
  return host === '' || host.length > 253 ? undefined : wildcard + host;
}

/** Whether the hosts of a secret allow it to be sent to a host. */
export function allowsHost(hosts: Secret['hosts'], host: string): boolean {
  if (hosts === null) return true;
  const name = normalizeSecretHost(host);
  if (name === undefined) return false;
  return hosts.some((allowed) => (allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed));
}
