import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, query, until } from '../../metadata-store/fixtures.ts';
import { openMailServer, type RunningMailServer } from '../../mail/mail-server.ts';
import { NO_OPENSSL, openCertificateDirectory } from '../../server/tls/certificates.ts';
import { openSignedInServer, postJson, type SignedInServer } from './signed-in-server.ts';

describe('a reset of a password by mail', { skip: NO_OPENSSL }, () => {
  let mailServer: RunningMailServer;
  let server: SignedInServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const files = openCertificateDirectory();
    cleanUp(async () => files.remove());
    files.makeAuthority('authority');
    files.make('server', { authority: 'authority' });
    mailServer = await openMailServer(
      { after: (work) => cleanUp(async () => void (await (work as () => unknown)())) },
      { key: files.read('server.key'), cert: files.read('server.pem') },
    );
    server = await openSignedInServer(
      { after: cleanUp },
      {
        settings: {
          ROOT_URL: 'https://traces.example.com/base',
          SMTP_HOSTNAME: 'localhost',
          SMTP_PORT: String(mailServer.port),
          SMTP_USERNAME: 'spandrel',
          SMTP_PASSWORD: 'mail-password',
          SMTP_CA_FILE: files.path('authority.pem'),
        },
      },
    );
  });

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    postJson(`${server.address}/auth/${path}`, body, headers);
  const login = async (email: string, password: string) => (await post('login', { email, password })).status;

  const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to.includes(email));

  test('an administrator who creates a user learns of it after the welcome mail has left', async () => {
    const user = { auth_method: 'LOCAL', email: 'rest@example.com', username: 'rest', role: 'VIEWER' };
    const { status } = await server.admin.call('POST', '/v1/users', { user, send_welcome_email: true });
    assert.equal(status, 201);
    assert.equal(mailsTo('rest@example.com').length, 1);
    const { errors } = await server.admin.graphql(
      `mutation {createUser(input: {email: "graph@example.com", username: "graph", role: VIEWER, password: "word-1", sendWelcomeEmail: true}) {user {id}}}`,
    );
    assert.deepEqual(errors, []);
    assert.equal(mailsTo('graph@example.com').length, 1);
  });

  /** Requests a reset, and returns the link in the mail. */
  async function requestReset(email: string, headers: Record<string, string> = {}): Promise<URL> {
    const resets = () => mailsTo(email.trim().toLowerCase()).filter(({ html }) => html.includes('reset-url'));
    const countBefore = resets().length;
    assert.equal((await post('password-reset-email', { email }, headers)).status, 204);
    await until('the mail has arrived', () => resets().length > countBefore);
    const link = /id="reset-url"[^>]*href="([^"]+)"|href="([^"]+)"[^>]*id="reset-url"/.exec(resets().at(-1)!.html);
    return new URL(link?.[1] ?? link?.[2] ?? assert.fail(resets().at(-1)!.html));
  }
  const tokenIn = (link: URL): string => link.searchParams.get('token') ?? assert.fail(link.href);

  test('sets a new password, ends the sessions and the lock, and works once', async () => {
    const { access } = await server.newUser('forgetful', 'MEMBER');
    for (let attempt = 0; attempt < 6; attempt++) await login('forgetful@example.com', 'bad');
    assert.equal(await login('forgetful@example.com', 'word-1'), 429);
    const link = await requestReset(' FORGETFUL@example.com');
    assert.equal(`${link.origin}${link.pathname}`, 'https://traces.example.com/base/reset-password-with-token');
    const token = tokenIn(link);
    const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    assert.match(payload.jti, /^PasswordResetToken:\d+$/);

    const weak = await post('password-reset', { token, password: 'abc' });
    assert.deepEqual([weak.status, await weak.text()], [422, 'Password must be at least 4 characters long']);
    assert.equal((await post('password-reset', { token, password: 'word-2' })).status, 204);

    assert.equal((await server.as({ bearer: access }).call('GET', '/v1/user')).status, 401);
    assert.equal(await login('forgetful@example.com', 'word-2'), 204);
    const again = await post('password-reset', { token, password: 'word-3' });
    assert.deepEqual([again.status, await again.text()], [401, 'Invalid token']);
  });

  test('a newer request replaces the link, and no header chooses its host', async () => {
    await server.newUser('twice-forgetful', 'MEMBER');
    const first = await requestReset('twice-forgetful@example.com');
    const second = await requestReset('twice-forgetful@example.com', {
      referer: 'https://evil.example/page',
      'x-forwarded-host': 'evil.example',
    }).catch(() => undefined);
    // A page of another site may be rejected; without its headers the link is ours, too.
    const link = second ?? (await requestReset('twice-forgetful@example.com', { 'x-forwarded-host': 'evil.example' }));
    assert.equal(link.host, 'traces.example.com');
    assert.equal((await post('password-reset', { token: tokenIn(first), password: 'word-2' })).status, 401);
    assert.equal((await post('password-reset', { token: tokenIn(link), password: 'word-2' })).status, 204);
  });

  test('reveals no account, and sends nothing to an unknown one', async () => {
    for (const email of ['ghost@example.com', 'system@localhost']) {
      assert.equal((await post('password-reset-email', { email })).status, 204);
    }
    const empty = await post('password-reset-email', { email: ' ' });
    assert.deepEqual([empty.status, await empty.text()], [422, 'Email required']);
    const { refresh } = await server.newUser('last-one', 'MEMBER');
    await requestReset('last-one@example.com');
    assert.deepEqual([...mailsTo('ghost@example.com'), ...mailsTo('system@localhost')], []);
    const wrongKind = await post('password-reset', { token: refresh, password: 'word-2' });
    assert.equal(wrongKind.status, 401);
  });

  test('a lock of an account is reported to its owner once a day, and to no one else', async () => {
    await server.newUser('watched', 'MEMBER');
    const notices = () => mailsTo('watched@example.com').filter(({ html }) => html.includes('lock-url'));
    const lock = async (email: string) => {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 6; attempt++) statuses.push(await login(email, 'bad'));
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
    };
    await lock('watched@example.com');
    await until('the mail has arrived', () => notices().length > 0);
    assert.match(
      notices()[0]!.text,
      /the last one from the address 127\.0\.0\.1\. The account is locked for 5 minutes/,
    );

    await query(server.databaseUrl, 'delete from sign_in_failures');
    await lock('watched@example.com');
    await lock('nobody@example.com');
    // Mails are sent in order, so this one comes after any other.
    await requestReset('watched@example.com');
    assert.equal(notices().length, 1);
    assert.deepEqual(mailsTo('nobody@example.com'), []);
    await query(server.databaseUrl, "update sent_mails set sent_at = sent_at - interval '1 day'");
    await query(server.databaseUrl, 'delete from sign_in_failures');
    await lock('watched@example.com');
    await until('another mail has arrived', () => notices().length === 2);
  });

  test('welcomes a new user, with names as text', async () => {
    const user = {
      auth_method: 'LOCAL',
      email: 'new@example.com',
      username: '<b>New</b>\r\nBcc: x@example.com',
      role: 'VIEWER',
    };
    assert.equal((await server.admin.call('POST', '/v1/users', { user })).status, 201);
    await until('the mail has arrived', () => mailsTo('new@example.com').length > 0);
    const mail = mailsTo('new@example.com')[0]!;
    assert.deepEqual(mail.to, ['new@example.com']);
    assert.match(mail.html, /id="welcome-url"/);
    assert.doesNotMatch(mail.html, /<b>New/);
  });
});
