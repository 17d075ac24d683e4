import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'ldapts';
import type { LdapConfig } from '../../../src/config/identity/ldap-config.ts';

const PROGRAM = '/usr/sbin/slapd';

/** Why the tests with slapd are skipped; false when they run. */
export const noSlapd: string | false =
  existsSync(PROGRAM) && existsSync('/etc/ldap/schema/inetorgperson.schema')
    ? spawnSync('openssl', ['version']).status === 0
      ? false
      : 'this machine has no openssl'
    : 'this machine has no slapd';

export const SUFFIX = 'dc=example,dc=com';
export const PEOPLE = `ou=people,${SUFFIX}`;
export const GROUPS = `ou=groups,${SUFFIX}`;
export const ADMIN_DN = `cn=admin,${SUFFIX}`;
export const ADMIN_PASSWORD = 'password of the directory';

/** Certificates of a CA of the test, for `localhost`. */
export interface TestCertificates {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

export function makeCertificates(dir: string): TestCertificates {
  const path = (name: string) => join(dir, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    path('ca.key'),
    '-out',
    path('ca.pem'),
    '-subj',
    '/CN=Test CA',
    '-days',
    '2',
  );
  openssl('req', ...key, '-keyout', path('server.key'), '-out', path('server.csr'), '-subj', '/CN=localhost');
  writeFileSync(path('names'), 'subjectAltName=DNS:localhost\n');
  openssl(
    ...['x509', '-req', '-in', path('server.csr'), '-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-CAcreateserial'],
    ...['-out', path('server.pem'), '-days', '2', '-extfile', path('names')],
  );
  return { caFile: path('ca.pem'), certFile: path('server.pem'), keyFile: path('server.key') };
}

/** Debian's slapd with a fresh directory, on free ports of loopback. */
export interface Slapd {
  readonly port: number;
  readonly tlsPort: number;
  readonly certificates: TestCertificates;
  readonly add: (dn: string, attributes: Record<string, string | string[]>) => Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function startSlapd(
  cleanUp: (work: () => Promise<void>) => void,
  { verifiesClients = false } = {},
): Promise<Slapd> {
  const dir = mkdtempSync(join(tmpdir(), 'spandrel-slapd-'));
  const certificates = makeCertificates(dir);
  mkdirSync(join(dir, 'data'));
  writeFileSync(
    join(dir, 'slapd.conf'),
    `${verifiesClients ? 'TLSVerifyClient demand' : ''}${configure(dir, certificates)}`,
  );
  const [port, tlsPort] = [await freePort(), await freePort()];
  let child: ReturnType<typeof spawn> | undefined;
  const kill = async () => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  };
  const start = async () => {
    const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${tlsPort}`;
    child = spawn(PROGRAM, ['-h', urls, '-f', join(dir, 'slapd.conf'), '-d', '0'], { stdio: 'ignore' });
    for (let round = 0; ; round++) {
      const client = new Client({ url: `ldap://127.0.0.1:${port}` });
      const isUp = await client.bind(ADMIN_DN, ADMIN_PASSWORD).then(
        () => true,
        () => false,
      );
      await client.unbind().catch(() => {});
      if (isUp) return;
      if (round > 200) throw new Error('slapd does not start');
      await sleep(50);
    }
  };
  cleanUp(async () => {
    await kill();
    rmSync(dir, { recursive: true, force: true });
  });
  await start();
  const add: Slapd['add'] = async (dn, attributes) => {
    const client = new Client({ url: `ldap://127.0.0.1:${port}` });
    await client.bind(ADMIN_DN, ADMIN_PASSWORD);
    await client.add(dn, attributes);
    await client.unbind();
  };
  await add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' });
  await add(PEOPLE, { objectClass: 'organizationalUnit', ou: 'people' });
  await add(GROUPS, { objectClass: 'organizationalUnit', ou: 'groups' });
  return { port, tlsPort, certificates, add, kill, start };
}

const configure = (dir: string, { caFile, certFile, keyFile }: TestCertificates): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
attributetype ( 1.3.6.1.4.1.99999.1 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
objectclass ( 1.3.6.1.4.1.99999.2 NAME 'user' AUXILIARY MAY ( objectGUID $ sAMAccountName ) )
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile ${dir}/slapd.pid
TLSCACertificateFile ${caFile}
TLSCertificateFile ${certFile}
TLSCertificateKeyFile ${keyFile}
database mdb
suffix "${SUFFIX}"
rootdn "${ADMIN_DN}"
rootpw "${ADMIN_PASSWORD}"
directory ${dir}/data
access to attrs=userPassword by anonymous auth by * none
access to * by * read
overlay memberof
`;

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Settings of the directory, for the server of a test. */
export const configOf = (slapd: Slapd, changes: Partial<LdapConfig> = {}): LdapConfig => ({
  hosts: ['localhost'],
  port: changes.tlsMode === 'ldaps' ? slapd.tlsPort : slapd.port,
  tlsMode: 'starttls',
  verifiesServer: true,
  caFile: slapd.certificates.caFile,
  clientCertFile: undefined,
  clientKeyFile: undefined,
  bindDn: ADMIN_DN,
  bindPassword: ADMIN_PASSWORD,
  userBaseDns: [PEOPLE],
  userFilter: '(&(objectClass=inetOrgPerson)(uid=%s))',
  emailAttribute: 'mail',
  displayNameAttribute: 'displayName',
  memberOfAttribute: 'memberOf',
  uniqueIdAttribute: undefined,
  groupSearch: undefined,
  groupRoles: [{ groupDn: '*', role: 'VIEWER' }],
  allowsSignUp: true,
  ...changes,
});
