import { SpandrelError } from '../../model/errors.ts';
import { allowsHost, type Secret } from '../../model/secrets/secret.ts';
import type { SecretBox } from './secret-box.ts';

/** Location of a sealed value. A value that is moved to another key cannot be opened. */
export const locationOfSecret = (key: string): string => `secrets.value ${key}`;

export const sealSecret = (box: SecretBox, key: string, value: string): Buffer =>
  box.seal(value, locationOfSecret(key));

/** Undefined when the value was encrypted with a key that this server does not have. */
export const openSecret = (box: SecretBox, { key, sealedValue }: Pick<Secret, 'key' | 'sealedValue'>) =>
  box.open(sealedValue, locationOfSecret(key));

/**
 * The value of a secret that is about to be sent to a host.
 *
 * @param host name of the host, without a port
 * @throws {SpandrelError} `SECRET_HOST_DENIED` when the secret is bound to other hosts; `SECRET_UNREADABLE`
 */
export function openSecretFor(
  box: SecretBox,
  secret: Pick<Secret, 'key' | 'sealedValue' | 'hosts'>,
  host: string,
): string {
  const { key, hosts } = secret;
  if (!allowsHost(hosts, host)) throw hostDenied(`The stored secret ${key}`, host);
  const value = openSecret(box, secret);
  if (value !== undefined) return value;
  throw new SpandrelError('SECRET_UNREADABLE', `Failed to decrypt secret: ${key}`);
}

export const hostDenied = (what: string, host: string): SpandrelError =>
  new SpandrelError(
    'SECRET_HOST_DENIED',
    `${what} is not bound to the host ${host}. Use a key of your own, or ask an administrator to bind the key to this host or to add a custom provider.`,
  );
