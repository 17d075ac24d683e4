import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Reason to skip tests with certificates, or false. */
export const NO_OPENSSL = hasOpenssl ? false : 'there is no openssl here to make a certificate with';

export interface CertificateDirectory {
  path(name: string): string;
  read(name: string): Buffer;
  /** Writes `<name>.pem` and `<name>.key` of a certificate authority. */
  makeAuthority(name: string): void;
  /** Writes `<name>.pem` and `<name>.key` for `localhost` and 127.0.0.1, signed by that authority. */
  make(name: string, options: { readonly authority: string; readonly host?: string }): void;
  /** Puts the content of files in the place of others, each by a rename, as tools that renew certificates do. */
  install(files: Readonly<Record<string, string>>): void;
  remove(): void;
}

/** Directory for keys and certificates of one test file. */
export function openCertificateDirectory(): CertificateDirectory {
  const dir = mkdtempSync(join(tmpdir(), 'spandrel-certificates-'));
  const path = (name: string) => join(dir, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const newKey = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', path(`${name}.key`)];
  return {
    path,
    read: (name) => readFileSync(path(name)),
    makeAuthority(name) {
      openssl(
        ...['req', '-x509', ...newKey(name), '-days', '2', '-subj', `/CN=${name}`],
        ...['-addext', 'basicConstraints=critical,CA:TRUE', '-out', path(`${name}.pem`)],
      );
    },
    make(name, { authority, host = 'localhost' }) {
      openssl('req', ...newKey(name), '-subj', `/CN=${name}`, '-out', path(`${name}.csr`));
      writeFileSync(path(`${name}.ext`), `subjectAltName=DNS:${host}${host === 'localhost' ? ',IP:127.0.0.1' : ''}\n`);
      openssl(
        ...['x509', '-req', '-in', path(`${name}.csr`), '-CA', path(`${authority}.pem`)],
        ...['-CAkey', path(`${authority}.key`), '-CAcreateserial', '-days', '2'],
        ...['-extfile', path(`${name}.ext`), '-out', path(`${name}.pem`)],
      );
    },
    install(files) {
      for (const [target, source] of Object.entries(files)) {
        writeFileSync(path(`${target}.new`), readFileSync(path(source)));
        renameSync(path(`${target}.new`), path(target));
      }
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
