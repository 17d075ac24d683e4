import { SpandrelError } from '../../model/errors.ts';
import { allowsHost, type Secret } from '../../model/secrets/secret.ts';
import type { Ports } from '../ports.ts';
import type { SecretBox } from './secret-box.ts';

/** Location of a sealed value. A value that is moved to another key cannot be opened. */
export const locationOfSecret = (key: string): string => `secrets.value ${key}`;

export const sealSecret = (box: SecretBox, key: string, value: string): Buffer =>
  box.seal(value, locationOfSecret(key));

/** Undefined when the value was encrypted with a key that this server does not have. */
export const openSecret = (box: SecretBox, { key, sealedValue }: Pick<Secret, 'key' | 'sealedValue'>) =>
  box.open(sealedValue, locationOfSecret(key));

/**
 * The value of a secret that is about to be sent to a host. Undefined when there is no such secret.
 *
 * @param host name of the host, without a port
 * @throws {SpandrelError} `SECRET_HOST_DENIED` when the secret is bound to other hosts; `SECRET_UNREADABLE`
 */
export async function secretFor(
  { secrets, secretBox }: Pick<Ports, 'secrets' | 'secretBox'>,
  key: string,
  host: string,
): Promise<string | undefined> {
  const secret = (await secrets.findByKeys([key])).get(key);
  if (!secret) return undefined;
  if (!allowsHost(secret.hosts, host)) {
    throw new SpandrelError('SECRET_HOST_DENIED', `The secret ${key} is bound to other hosts than ${host}`);
  }
  const value = openSecret(secretBox, secret);
  if (value !== undefined) return value;
  throw new SpandrelError('SECRET_UNREADABLE', `The secret ${key} cannot be decrypted`);
}
