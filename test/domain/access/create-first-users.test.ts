import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { userRepository } from '../../../src/metadata-store/access/users.ts';
import { cleanUpAfter, openTestPostgres, openTestStore, query } from '../../metadata-store/fixtures.ts';
import { createPasswordHasher } from '../../../src/identity/password-hash.ts';
import { createFirstUsers, type FirstUsers } from '../../../src/domain/access/create-first-users.ts';

const NOTHING: FirstUsers = { initialPassword: undefined, admins: [], adminAuthMethod: 'LOCAL' };
const passwords = createPasswordHasher({ countMax: 2, queueLengthMax: 50, onFull: () => new Error('full') });

/** A server that starts on an empty database. */
async function openServer(t: TestContext) {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const url = await (await openTestPostgres(cleanUp)).newDatabase();
  const { db } = await openTestStore(cleanUp, { url });
  const users = userRepository(db);
  return {
    url,
    users,
    start: (changes: Partial<FirstUsers> = {}) => createFirstUsers({ users, passwords }, { ...NOTHING, ...changes }),
    list: async () =>
      (
        await query<{ line: string }>(
          url,
          `select concat_ws(' ', username, email, role, auth_method, password_needs_reset, has_default_password) as line
           from users order by id`,
        )
      ).map(({ line }) => line),
  };
}

describe('the users that a start creates', () => {
  test('are the internal account, and an administrator whose documented password is marked', async (t) => {
    const { start, list, users } = await openServer(t);

    await Promise.all([start(), start()]);

    assert.deepEqual((await list()).sort(), [
      'admin admin@localhost ADMIN LOCAL t t',
      'system system@localhost SYSTEM LOCAL f f',
    ]);
    const account = await users.findPasswordAccount('admin@localhost');
    assert.equal(await passwords.verify(account?.passwordHash ?? '', 'admin'), true);
    assert.equal(await users.findPasswordAccount('system@localhost'), undefined, 'nobody signs in as the server');
  });

  test('have the initial password of the settings, once', async (t) => {
    const { start, list, users } = await openServer(t);

    await start({ initialPassword: 'of-the-settings' });
    await start({ initialPassword: 'of-a-later-start' });

    assert.ok((await list()).includes('admin admin@localhost ADMIN LOCAL t f'));
    const { passwordHash = '' } = (await users.findPasswordAccount('admin@localhost')) ?? {};
    assert.equal(await passwords.verify(passwordHash, 'of-the-settings'), true);
  });

  test('do not count the documented password as one of the settings', async (t) => {
    const { start, list } = await openServer(t);

    await start({ initialPassword: 'admin' });

    assert.ok((await list()).includes('admin admin@localhost ADMIN LOCAL t t'));
  });

  test('are further administrators without a password that anyone knows, and existing accounts stay as they are', async (t) => {
    const { url, start, list } = await openServer(t);
    await start();
    await query(
      url,
      `insert into users (username, email, role, auth_method, password_hash)
       values ('ann', 'ann@example.com', 'VIEWER', 'LOCAL', 'x'), ('bob', 'bob@elsewhere.example', 'MEMBER', 'LOCAL', 'x')`,
    );
    const admins = [
      { username: 'ann', email: 'ann@example.com' },
      { username: 'bob', email: 'bob@example.com' },
      { username: 'eve', email: 'eve@example.com' },
    ];

    await start({ admins });
    await start({ admins: [{ username: 'dan', email: 'dan@example.com' }], adminAuthMethod: 'OAUTH2' });

    assert.deepEqual((await list()).slice(-4), [
      'ann ann@example.com VIEWER LOCAL f f',
      'bob bob@elsewhere.example MEMBER LOCAL f f',
      'eve eve@example.com ADMIN LOCAL t f',
      'dan dan@example.com ADMIN OAUTH2 f f',
    ]);
  });

  test('do not bring back the documented password when no administrator is left', async (t) => {
    const { url, start, list, users } = await openServer(t);
    await start();
    const hash = await passwords.hash('own-password');
    await query(
      url,
      `update users set role = 'MEMBER', password_hash = '${hash}', password_needs_reset = false, has_default_password = false
       where email = 'admin@localhost'`,
    );

    await start();

    assert.ok((await list()).includes('admin admin@localhost MEMBER LOCAL f f'));
    assert.equal((await users.findPasswordAccount('admin@localhost'))?.passwordHash, hash);
  });
});
