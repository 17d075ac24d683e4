// Programs and rights that tests need besides Node, and the tests that are skipped without them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Where tests look for a browser, the best first: the headless shell takes a third less processor time. */
const BROWSERS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const ABILITIES = [
  {
    ability: 'Chromium',
    skipped: 'the tests with a browser',
    isThere: () => BROWSERS.some(existsSync),
  },
  {
    ability:
      'environment with the public Python clients (scripts/python-clients.sh, for Python 3.11 or later with venv)',
    skipped: 'the tests with Python',
    isThere: () => existsSync(new URL('../.venv/bin/python', import.meta.url)),
  },
  {
    ability: 'Python 3.14 (scripts/python-3.14.sh)',
    skipped: 'the tests of our Python packages on it',
    isThere: () => existsSync(new URL('../.venv/pythons/3.14/python', import.meta.url)),
  },
  {
    ability: 'a uWebSockets.js binary for this Node and C library',
    skipped: 'the HTTP tests on uWebSockets.js (those on node:http run)',
    isThere: () => loads('uws-node24') || loads('uws-node20'),
  },
  {
    ability: 'a native CRC32C for this platform',
    skipped: 'the comparison of the native CRC32C with its fallback',
    isThere: () => loads('@node-rs/crc32'),
  },
  {
    ability: 'openssl',
    skipped: 'the TLS tests',
    isThere: () => succeeds('openssl', ['version']),
  },
  {
    ability: 'zsh and fish',
    skipped: 'the tests of completion in these shells',
    isThere: () => succeeds('zsh', ['--version']) && succeeds('fish', ['--version']),
  },
  {
    ability: 'vitest in clients/typescript/test-runners (node scripts/client-test-runners.mjs)',
    skipped: 'the tests of suites of vitest as experiments',
    isThere: () => existsSync(new URL('../clients/typescript/test-runners/node_modules/vitest', import.meta.url)),
  },
  {
    ability: 'pgbouncer',
    skipped: 'the tests of credentials behind a pooler and while Postgres is unavailable',
    isThere: () => existsSync('/usr/sbin/pgbouncer'),
  },
  {
    ability: 'slapd with its schemas',
    skipped: 'the tests of sign-in at an LDAP directory',
    isThere: () => existsSync('/usr/sbin/slapd') && existsSync('/etc/ldap/schema/inetorgperson.schema'),
  },
  {
    ability: 'nginx and HAProxy',
    skipped: 'the tests of HTTP behind proxies',
    isThere: () => existsSync('/usr/sbin/nginx') && existsSync('/usr/sbin/haproxy'),
  },
  {
    ability: 'root',
    skipped: 'the tests of running the embedded Postgres as another user than root',
    isThere: () => process.getuid?.() === 0,
  },
];

/** One line for each missing ability. */
export const describeMissingAbilities = () =>
  ABILITIES.filter(({ isThere }) => !isThere()).map(({ ability, skipped }) => `no ${ability}: skips ${skipped}`);

const succeeds = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

function loads(name) {
  try {
    createRequire(import.meta.url)(name);
    return true;
  } catch {
    return false;
  }
}
