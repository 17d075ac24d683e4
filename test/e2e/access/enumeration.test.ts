import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { openMailServer } from '../../mail/mail-server.ts';
import { NO_OPENSSL, openCertificateDirectory } from '../../server/tls/certificates.ts';
import { ADMIN_SECRET, postJson, SECRET, toClient } from '../../api/access/signed-in-server.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

/** Of each kind of account. */
const TRY_COUNT = 250;
/**
 * Greatest distance from one half. The standard deviation for equal times is 0.026, so five of them; without the hash for
 * unknown accounts it is 0.5.
 */
const DISTANCE_MAX = 0.13;

describe('the time of a response', { skip: NO_OPENSSL }, () => {
  const cleanUp = cleanUpAfter(after);
  let server: ServerProcess;
  before(async () => {
    const files = openCertificateDirectory();
    cleanUp(async () => files.remove());
    files.makeAuthority('authority');
    files.make('server', { authority: 'authority' });
    const mailServer = await openMailServer(
      { after: (work) => cleanUp(async () => void (await (work as () => unknown)())) },
      { key: files.read('server.key'), cert: files.read('server.pem') },
    );
    server = await startServer({
      env: {
        SERVICE_ENABLE_AUTH: 'true',
        SERVICE_ADMIN_SECRET: ADMIN_SECRET,
        SERVICE_SECRET: SECRET,
        SERVICE_DISABLE_RATE_LIMIT: 'true',
        SERVICE_DISABLE_BRUTE_FORCE_LOGIN_PROTECTION: 'true',
        SERVICE_ROOT_URL: 'https://traces.example.com',
        SERVICE_SMTP_HOSTNAME: 'localhost',
        SERVICE_SMTP_PORT: String(mailServer.port),
        SERVICE_SMTP_USERNAME: 'spandrel',
        SERVICE_SMTP_PASSWORD: 'mail-password',
        SERVICE_SMTP_CA_FILE: files.path('authority.pem'),
      },
    });
    cleanUp(() => server.kill9());
    const user = { auth_method: 'LOCAL', email: 'known@example.com', username: 'known', role: 'MEMBER' };
    const { status } = await toClient(server.url, { bearer: ADMIN_SECRET }).call('POST', '/v1/users', {
      user: { ...user, password: 'word-1' },
    });
    assert.equal(status, 201);
  });

  for (const [path, body, status] of [
    ['/auth/login', { password: 'wrong-password' }, 401],
    ['/auth/password-reset-email', {}, 204],
  ] as const) {
    test(`of ${path} does not reveal whether an account exists`, async () => {
      const tryOnce = async (email: string): Promise<number> => {
        const startedAt = performance.now();
        const response = await postJson(`${server.url}${path}`, { ...body, email });
        await response.arrayBuffer();
        assert.equal(response.status, status);
        return performance.now() - startedAt;
      };
      const times = { known: [] as number[], unknown: [] as number[] };
      for (let index = 0; index < 10; index++) await tryOnce('nobody@example.com');
      for (let index = 0; index < TRY_COUNT; index++) {
        // In either order, because a request may slow the next one down.
        const pair = [
          ['known', 'known@example.com'],
          ['unknown', `nobody${index}@example.com`],
        ] as const;
        for (const [kind, email] of Math.random() < 0.5 ? pair : pair.toReversed())
          times[kind].push(await tryOnce(email));
      }
      const share = shareOfSlower(times.known, times.unknown);
      assert.ok(Math.abs(share - 0.5) < DISTANCE_MAX, `known accounts are slower in ${share} of all pairs`);
    });
  }
});

/** Share of the pairs of values in which the first is greater: the statistic of Mann and Whitney. */
function shareOfSlower(first: readonly number[], second: readonly number[]): number {
  let count = 0;
  for (const one of first) for (const other of second) if (one > other) count++;
  return count / (first.length * second.length);
}
