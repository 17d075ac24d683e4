import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Registry } from 'prom-client';
import { silentLog } from '../../src/base/log.ts';
import { listAdminEmails } from '../../src/metadata-store/access/admin-emails.ts';
import { claimMail, releaseMail } from '../../src/metadata-store/access/sent-mails.ts';
import type { Db } from '../../src/metadata-store/database/database.ts';
import { cleanUpAfter, openTestPostgres, openTestStore, query } from '../metadata-store/fixtures.ts';
import { openStorageGuard } from '../../src/jobs/storage-guard.ts';
import { createStorageWarning } from '../../src/jobs/storage-warning.ts';

const USER = `insert into users (username, email, role, auth_method, password_hash, is_active, ldap_unique_id) values`;

describe('the storage warning', () => {
  let url: string;
  /** Each server has a pool of its own. */
  let servers: Db[];
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    url = await (await openTestPostgres(cleanUp)).newDatabase();
    servers = await Promise.all([1, 2].map(async () => (await openTestStore(cleanUp, { url })).db));
  });
  beforeEach(async () => {
    await query(url, 'delete from sent_mails');
    await query(url, 'delete from users');
    await query(
      url,
      `${USER}
       ('ann', 'ann@example.com', 'ADMIN', 'LOCAL', 'x', true, null),
       ('bob', 'bob@example.com', 'ADMIN', 'LOCAL', 'x', true, null),
       ('off', 'off@example.com', 'ADMIN', 'LOCAL', 'x', false, null),
       ('dan', null, 'ADMIN', 'LDAP', null, true, 'dan'),
       ('admin', 'admin@localhost', 'ADMIN', 'LOCAL', 'x', true, null),
       ('may', 'may@example.com', 'MEMBER', 'LOCAL', 'x', true, null)`,
    );
  });

  /** Warnings of one server, and its mails. */
  function openWarning(db: Db, options: { send?: () => Promise<boolean> } = {}) {
    const mails: (readonly string[])[] = [];
    const warning = createStorageWarning(
      80,
      {
        adminEmails: () => listAdminEmails(db),
        claim: (recipients, hours) => claimMail(db, 'storageWarning', recipients, hours),
        release: (recipients, hours) => releaseMail(db, 'storageWarning', recipients, hours),
        send: async (to) => {
          mails.push(to);
          return (await options.send?.()) ?? true;
        },
      },
      silentLog,
    );
    return { warning, mails };
  }
  const daysLater = (hours: number) =>
    query(url, `update sent_mails set sent_at = sent_at - interval '${hours} hours'`);

  test('is sent above the percentage, to active administrators with an address of their own', async () => {
    const { warning, mails } = openWarning(servers[0]!);

    await warning.check(80);
    assert.equal(mails.length, 0);
    await warning.check(80.1);

    assert.deepEqual(
      mails.map((to) => to.toSorted()),
      [['ann@example.com', 'bob@example.com']],
    );
  });

  test('is sent once in 24 hours, also after a restart', async () => {
    const first = openWarning(servers[0]!);
    await first.warning.check(90);
    await first.warning.check(90);
    const restarted = openWarning(servers[1]!);
    await daysLater(23);
    await restarted.warning.check(90);
    assert.deepEqual([first.mails.length, restarted.mails.length], [1, 0]);

    await daysLater(1);
    await restarted.warning.check(90);
    assert.equal(restarted.mails.length, 1);
  });

  test('is sent by one of several servers with one database', async () => {
    for (let round = 0; round < 20; round++) {
      await query(url, 'delete from sent_mails');
      const running = servers.map((db) => openWarning(db));
      await Promise.all(running.map(({ warning }) => warning.check(90)));

      const recipients = running.flatMap(({ mails }) => mails.flat()).toSorted();
      assert.deepEqual(recipients, ['ann@example.com', 'bob@example.com'], `round ${round}`);
    }
  });

  test('is sent to an administrator who was added later', async () => {
    const { warning, mails } = openWarning(servers[0]!);
    await warning.check(90);
    await query(url, `${USER} ('eve', 'eve@example.com', 'ADMIN', 'LOCAL', 'x', true, null)`);

    await warning.check(90);

    assert.deepEqual(mails.at(-1), ['eve@example.com']);
  });

  test('is tried again in an hour if the mail could not be sent', async () => {
    const { warning, mails } = openWarning(servers[0]!, { send: async () => false });
    await warning.check(90);
    await warning.check(90);
    assert.equal(mails.length, 1);

    await daysLater(1);
    await warning.check(90);
    assert.equal(mails.length, 2);
  });

  test('does not delay the measurement, and a slow mail is not sent twice', async (t) => {
    let finish: (isSent: boolean) => void = () => {};
    const { warning, mails } = openWarning(servers[0]!, {
      send: () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    });
    const guard = await openStorageGuard({
      ...{ capacityBytes: 100, blockingPercent: 85, supportEmail: undefined, warning },
      ...{ usedBytes: async () => 90, log: silentLog, registry: new Registry() },
    });
    t.after(() => guard.close());

    while (mails.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await guard.measure();
    assert.match(guard.lock() ?? '', /insufficient storage/);
    finish(true);
    await guard.measure();
    assert.equal(mails.length, 1);
  });
});
