import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';

/** False: without TLS. */
export type TlsAttempt = false | ConnectionOptions;

/**
 * Attempts that libpq would make, in its order, by `sslmode` (default `prefer`) and `sslrootcert`, `sslcert`, `sslkey`,
 * `sslpassword`, `sslcrl`, `sslcrldir`. `sslsni` is accepted; the host name is always sent.
 *
 * @throws {Error} for an unknown mode or a file that cannot be read.
 */
export function tlsAttempts(parameters: URLSearchParams): TlsAttempt[] {
  const usesSystemRoots = parameters.get('sslrootcert') === 'system';
  const mode = parameters.get('sslmode') ?? (usesSystemRoots ? 'verify-full' : 'prefer');
  if (mode === 'disable') return [false];
  const tls = certificates(parameters, usesSystemRoots);
  const unverified = { ...tls, rejectUnauthorized: false };
  switch (mode) {
    case 'allow':
      return [false, unverified];
    case 'prefer':
      return [unverified, false];
    case 'require':
      // As in libpq: a named authority must be verified.
      return [tls.ca === undefined ? unverified : { ...tls, checkServerIdentity: () => undefined }];
    case 'verify-ca':
      return [{ ...tls, checkServerIdentity: () => undefined }];
    case 'verify-full':
      return [tls];
    default:
      throw new Error(`sslmode=${mode} is not one of disable, allow, prefer, require, verify-ca, verify-full`);
  }
}

function certificates(parameters: URLSearchParams, usesSystemRoots: boolean): ConnectionOptions {
  const read = (name: string) => {
    const path = parameters.get(name);
    return path === null ? undefined : readFileSync(path, 'utf8');
  };
  const crlDir = parameters.get('sslcrldir');
  const crl = [
    ...(crlDir === null ? [] : readdirSync(crlDir).map((name) => readFileSync(join(crlDir, name), 'utf8'))),
    ...[read('sslcrl')].filter((text) => text !== undefined),
  ];
  const options = {
    ca: usesSystemRoots ? undefined : read('sslrootcert'),
    cert: read('sslcert'),
    key: read('sslkey'),
    passphrase: parameters.get('sslpassword') ?? undefined,
    crl: crl.length > 0 ? crl : undefined,
  };
  // `tls.connect` distinguishes an option that is undefined from an absent one.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
