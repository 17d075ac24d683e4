// Programs and rights that tests need besides Node, and the tests that are skipped without them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const ABILITIES = [
  {
    ability: 'Python 3.11 or later with venv',
    skipped: 'the tests with the public Python clients',
    isThere: () => succeeds('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))']),
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
