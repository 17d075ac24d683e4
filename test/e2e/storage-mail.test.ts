import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, openTestPostgres, query } from '../metadata-store/fixtures.ts';
import { openMailServer, type RunningMailServer } from '../mail/mail-server.ts';
import { type CertificateDirectory, NO_OPENSSL, openCertificateDirectory } from '../server/tls/certificates.ts';
import { makeDataDir, startServer } from './server-process.ts';

describe('a server with a mail server', { skip: NO_OPENSSL }, () => {
  let files: CertificateDirectory;
  let mailServer: RunningMailServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    files = openCertificateDirectory();
    cleanUp(async () => files.remove());
    files.makeAuthority('authority');
    files.make('server', { authority: 'authority' });
    mailServer = await openMailServer(
      { after: (work) => cleanUp(async () => void (await (work as () => unknown)())) },
      { key: files.read('server.key'), cert: files.read('server.pem') },
    );
  });

  test('warns its administrators about the storage once, although it is killed and restarted', async () => {
    const url = await (await openTestPostgres(cleanUp)).newDatabase();
    await query(
      url,
      "insert into users (username, email, role, auth_method, password_hash) values ('ann', 'ann@example.com', 'ADMIN', 'LOCAL', 'x')",
    );
    const dataDir = await makeDataDir({ isEmpty: true });
    cleanUp(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20 }));
    const env = {
      SERVICE_SQL_DATABASE_URL: url,
      SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: '0.00001',
      SERVICE_DATABASE_USAGE_EMAIL_WARNING_THRESHOLD_PERCENTAGE: '50',
      SERVICE_SUPPORT_EMAIL: 'help@example.com',
      SERVICE_ROOT_URL: 'https://traces.example.com',
      SERVICE_SMTP_HOSTNAME: 'localhost',
      SERVICE_SMTP_PORT: String(mailServer.port),
      SERVICE_SMTP_USERNAME: 'spandrel',
      SERVICE_SMTP_PASSWORD: 'mail-password',
      SERVICE_SMTP_CA_FILE: files.path('authority.pem'),
    };

    const first = await startServer({ dataDir, env });
    cleanUp(() => first.kill9());
    while (!first.output().includes('Sent a mail about the storage')) {
      assert.equal(first.exit(), undefined, first.output());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await first.kill9();
    const second = await startServer({ dataDir, env });
    cleanUp(() => second.kill9());
    // Stopping waits for a mail that is being sent.
    await second.stop();

    assert.deepEqual(
      mailServer.mails.map(({ to }) => to),
      [['ann@example.com', 'help@example.com']],
    );
    assert.match(mailServer.mails[0]?.html ?? '', /href="https:\/\/traces\.example\.com"/);
    assert.doesNotMatch(first.output() + second.output(), /mail-password/);
  });
});
