/**
 * What does the check of a credential cost a request, and how much memory do all credentials take? Two sizes show that the time
 * does not grow with them. Also: how many passwords are hashed per second?
 */
import { Bench } from 'tinybench';
import { silentLog } from '../../src/base/log.ts';
import { createPasswordHasher } from '../../src/identity/password-hash.ts';
import { createAuthenticate } from '../../src/domain/access/authenticate.ts';
import type { Account, Credential, CredentialRepository } from '../../src/domain/access/credential-repository.ts';
import { openCredentials } from '../../src/domain/access/credentials.ts';
import { createTokens } from '../../src/domain/access/tokens.ts';
import { ProjectDirectory } from '../../src/domain/project-access/project-directory.ts';

const isSmoke = process.env.SMOKE !== undefined;
const SIZES = isSmoke ? [10, 100] : [11_000, 110_000];
const USER_COUNT = 1_000;
const HASH_COUNT = isSmoke ? 4 : 60;
const tokens = createTokens(`secret-0${'a'.repeat(30)}`);

/** Tokens of sessions and, one in eleven, keys; and the texts of some. */
function makeCredentials(count: number): { readonly rows: Credential[]; readonly texts: string[] } {
  const texts: string[] = [];
  const rows = Array.from({ length: count }, (_, index): Credential => {
    const kind = index % 11 === 0 ? 'key' : 'access';
    const { text, hash } = tokens.mint(kind === 'key' ? 'ApiKey' : 'AccessToken', index);
    if (index % Math.ceil(count / 1_000) === 0) texts.push(text);
    return {
      ...{ kind, rowId: index, hash, userRowId: index % USER_COUNT, sessionRowId: kind === 'key' ? null : index },
      ...{
        scope: 'ALL',
        projects: null,
        resource: null,
        isFirstParty: null,
        expiresAt: new Date(Date.now() + 3_600_000),
      },
    };
  });
  return { rows, texts };
}

const accounts = Array.from(
  { length: USER_COUNT },
  (_, rowId): Account => ({
    ...{
      rowId,
      role: 'MEMBER',
      username: `user-${rowId}`,
      email: `user-${rowId}@example.com`,
      groups: [],
      isActive: true,
    },
  }),
);

/** Only what the start reads: the check of a known credential makes no query. */
const repositoryOf = (rows: readonly Credential[]): CredentialRepository => ({
  async *listCredentials() {
    yield rows;
  },
  async *listAccounts() {
    yield accounts;
  },
  findCredential: () => Promise.reject(new Error('a known credential makes no query')),
  findAccounts: () => Promise.reject(new Error('a known credential makes no query')),
  readChanges: async () => ({ position: '0', userRowIds: [], accessRowIds: [], keyRowIds: [], projectRowIds: [] }),
  recordUse: async () => {},
  sweep: async () => {},
});

/** No project is private. */
const projects = new ProjectDirectory({
  async *listAccess() {},
  findAccess: async () => [],
  lock: async () => undefined,
  setPrivate: async () => {},
  set: async () => {},
  remove: async () => {},
});

for (const count of SIZES) {
  const { rows, texts } = makeCredentials(count);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const credentials = await openCredentials({ repository: repositoryOf(rows), projects, log: silentLog });
  globalThis.gc?.();
  const bytes = process.memoryUsage().heapUsed - before;
  const authenticate = createAuthenticate({ tokens, credentials, adminSecret: 'a'.repeat(40), systemUser: undefined });
  let at = 0;
  const next = () => {
    at = (at + 1) % texts.length;
    return texts[at] ?? '';
  };
  const bench = new Bench({ time: isSmoke ? 5 : 1_000 });
  bench.add('known credential', () => authenticate({ kind: 'token', token: next() }));
  bench.add('wrong signature', () => authenticate({ kind: 'token', token: `${next()}x` }));
  await bench.run();
  console.log(`${count} credentials of ${USER_COUNT} users, ${(bytes / 2 ** 20).toFixed(1)} MiB beside their rows:`);
  for (const { name, result } of bench.tasks) {
    if (result.state !== 'completed') throw new Error(`${name} did not complete`);
    const { p50, p99 } = result.latency;
    console.log(`  ${name.padEnd(18)} median ${(p50 * 1_000).toFixed(1)} µs, p99 ${(p99 * 1_000).toFixed(1)} µs`);
  }
}

const hasher = createPasswordHasher({
  countMax: 2,
  queueLengthMax: HASH_COUNT,
  onFull: () => new Error('full'),
});
const startedAt = performance.now();
await Promise.all(Array.from({ length: HASH_COUNT }, (_, index) => hasher.hash(`password-${index}`)));
console.log(
  `passwords: ${(HASH_COUNT / ((performance.now() - startedAt) / 1_000)).toFixed(0)} hashes/s, two at a time`,
);
