import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { type Log, silentLog } from '../../src/base/log.ts';
import { isMailAddress, type MailServer } from '../../src/mail/mailer.ts';
import { type MailerOptions, openMailer } from '../../src/mail/open-mailer.ts';
import { type CertificateDirectory, NO_OPENSSL, openCertificateDirectory } from '../server/tls/certificates.ts';
import { accountAt, openMailServer } from './mail-server.ts';

const FAST = { retryMs: 5, connectMsMax: 300, replyMsMax: 1_000 };

/** Log lines, with the text of their error. */
function openLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (fields: object, message: string) =>
    void lines.push(`${message}: ${'err' in fields ? fields.err : ''}`);
  const log: Log = { ...silentLog, warn: write, error: write, child: () => log };
  return { log, lines };
}

describe('a mailer', { skip: NO_OPENSSL, timeout: 60_000 }, () => {
  let files: CertificateDirectory;
  before(() => {
    files = openCertificateDirectory();
    for (const name of ['authority', 'other-authority']) files.makeAuthority(name);
    files.make('server', { authority: 'authority' });
    files.make('elsewhere', { authority: 'authority', host: 'elsewhere.example' });
  });
  after(() => files.remove());
  const identity = (name = 'server') => ({ key: files.read(`${name}.key`), cert: files.read(`${name}.pem`) });
  const ca = () => files.path('authority.pem');

  async function open(t: TestContext, server: MailServer, options: Partial<MailerOptions> = {}) {
    const { log, lines } = openLog();
    const mailer = await openMailer({
      ...{ server, rootUrl: () => 'https://traces.example.com/spandrel', supportEmail: undefined, log, limits: FAST },
      ...options,
    });
    t.after(() => mailer.close());
    const reset = () => mailer.sendPasswordReset({ to: 'ann@example.com', username: 'Ann', token: 'a.b-c_d' });
    return { mailer, reset, lines };
  }
  const openBoth = async (t: TestContext, options: SMTPServerOptions, settings: Partial<MailServer> = {}) => {
    const server = await openMailServer(t, { ...identity(), ...options });
    return { server, ...(await open(t, { ...accountAt(server.port, ca()), ...settings })) };
  };

  test('sends a reset over STARTTLS, as HTML and text, with the link that programs read', async (t) => {
    const { server, reset } = await openBoth(t, {});

    assert.equal(await reset(), 'sent');

    const [mail] = server.mails;
    const url = 'https://traces.example.com/spandrel/reset-password-with-token?token=a.b-c_d';
    assert.equal(mail?.isSecure, true);
    assert.equal(mail?.from, 'noreply@example.com');
    assert.deepEqual(mail?.to, ['ann@example.com']);
    assert.match(mail?.headers ?? '', /^Subject: Reset your Spandrel password$/m);
    assert.equal(/<a id="reset-url" href="([^"]*)"/.exec(mail?.html ?? '')?.[1], url);
    assert.ok(mail?.text.includes(`\n${url}`) || mail?.text.includes(url));
  });

  test('sends a welcome whose link is the root URL exactly', async (t) => {
    const { server, mailer } = await openBoth(t, {});

    assert.equal(await mailer.sendWelcome({ to: 'ann@example.com', username: 'Ann' }), 'sent');

    const href = /<a id="welcome-url" href="([^"]*)"/.exec(server.mails[0]?.html ?? '')?.[1];
    assert.equal(href, 'https://traces.example.com/spandrel');
  });

  test('sends one storage warning to all, with the support address in copy', async (t) => {
    const server = await openMailServer(t, identity());
    const { mailer } = await open(t, accountAt(server.port, ca()), { supportEmail: 'help@example.com' });
    const to = ['ann@example.com', 'bob@example.com'];

    assert.equal(await mailer.sendStorageWarning({ to, usedPercent: 87.9, capacityBytes: 10.5 * 1024 ** 3 }), 'sent');

    assert.equal(server.mails.length, 1);
    assert.deepEqual(server.mails[0]?.to, [...to, 'help@example.com']);
    assert.match(server.mails[0]?.headers ?? '', /^Cc: help@example\.com$/m);
    assert.match(server.mails[0]?.text ?? '', /uses 87 % of its capacity of 10\.5 GiB/);
  });

  test('uses implicit TLS with a server that has no STARTTLS, and never sends the password in plain text', async (t) => {
    const implicit = await openBoth(t, { secure: true });
    assert.equal(await implicit.reset(), 'sent');
    assert.equal(await implicit.reset(), 'sent');
    assert.deepEqual(
      implicit.server.mails.map(({ isSecure }) => isSecure),
      [true, true],
    );

    const plain = await openBoth(t, { hideSTARTTLS: true, disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    assert.equal(await plain.reset(), 'failed');
    assert.deepEqual(plain.server.mails, []);
    assert.deepEqual(plain.server.passwords, []);
  });

  test('rejects a certificate of an unknown authority or of another host, unless certificates are not verified', async (t) => {
    for (const options of [{}, { secure: true }]) {
      for (const [name, caFile] of [
        ['server', 'other-authority.pem'],
        ['elsewhere', 'authority.pem'],
      ] as const) {
        const server = await openMailServer(t, { ...options, ...identity(name) });
        const settings = { ...accountAt(server.port, files.path(caFile)) };
        const { reset, lines } = await open(t, settings);
        assert.equal(await reset(), 'failed', name);
        assert.deepEqual(server.passwords, []);
        assert.match(lines.at(-1) ?? '', /certificate|altnames/i);

        const lax = await open(t, { ...settings, verifiesCertificate: false });
        assert.match(lax.lines[0] ?? '', /not verified/);
        assert.equal(await lax.reset(), 'sent');
      }
    }
  });

  test('fails in words when the server is away, closes early, never greets or is slow', async (t) => {
    const away = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => away.once('listening', resolve));
    const { port } = away.address() as AddressInfo;
    await new Promise((resolve) => away.close(resolve));
    const absent = await open(t, accountAt(port, ca()));
    assert.equal(await absent.reset(), 'failed');
    assert.match(absent.lines.at(-1) ?? '', /Could not send a mail: .*ECONNREFUSED/);
    assert.equal(absent.lines.length, 3, 'three attempts');

    for (const [onConnection, limits] of [
      [(socket: { destroy(): void }) => socket.destroy(), FAST],
      [() => {}, FAST],
      [() => {}, { ...FAST, connectMsMax: 60_000, attemptMsMax: 200 }],
    ] as const) {
      const sockets: { destroy(): void }[] = [];
      const silent = createServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => {});
        onConnection(socket);
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => silent.once('listening', resolve));
      t.after(() => {
        for (const socket of sockets) socket.destroy();
        silent.close();
      });
      const { reset } = await open(t, accountAt((silent.address() as AddressInfo).port, ca()), { limits });
      assert.equal(await reset(), 'failed');
    }
  });

  test('gives up a server that takes no end of a mail, and sends other mails', async (t) => {
    let isFirst = true;
    const { server, mailer, reset } = await openBoth(t, {
      onRcptTo(_address, _session, callback) {
        if (!isFirst) return callback();
        isFirst = false;
        return undefined;
      },
    });

    const slow = mailer.sendWelcome({ to: 'slow@example.com', username: 'Slow' });
    assert.equal(await reset(), 'sent');
    assert.equal(await slow, 'sent', 'the second attempt succeeds');
    assert.deepEqual(
      server.mails.map(({ to }) => to[0]),
      ['ann@example.com', 'slow@example.com'],
    );
  });

  test('tries a temporary rejection again, and a permanent one not', async (t) => {
    const codes = [451, 0, 550];
    const { server, reset, lines } = await openBoth(t, {
      onRcptTo(_address, _session, callback) {
        const code = codes.shift();
        if (code === 0) return callback();
        callback(Object.assign(new Error('Not this recipient'), { responseCode: code }));
      },
    });

    assert.equal(await reset(), 'sent');
    assert.equal(await reset(), 'failed');
    assert.match(lines.at(-1) ?? '', /Not this recipient/);
    assert.deepEqual(codes, []);
    assert.equal(server.mails.length, 1);
  });

  test('sends a warning to the recipients that the server accepts', async (t) => {
    const { server, mailer } = await openBoth(t, {
      onRcptTo({ address }, _session, callback) {
        callback(
          address === 'gone@example.com' ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null,
        );
      },
    });
    const to = ['gone@example.com', 'ann@example.com'];

    assert.equal(await mailer.sendStorageWarning({ to, usedPercent: 90, capacityBytes: 1024 ** 3 }), 'sent');
    assert.deepEqual(server.mails[0]?.to, ['ann@example.com']);
  });

  test('does not try a wrong password twice, and logs no password and no token', async (t) => {
    const { server, reset, lines } = await openBoth(t, { authMethods: ['LOGIN'] }, { password: 'wrong-password' });

    assert.equal(await reset(), 'failed');

    assert.deepEqual(server.passwords, ['wrong-password']);
    assert.match(lines.join('\n'), /Invalid login: 535/);
    assert.doesNotMatch(lines.join('\n'), /wrong-password|a\.b-c_d/);
  });

  for (const authMethods of [['PLAIN'], ['LOGIN'], ['CRAM-MD5'], ['PLAIN', 'LOGIN', 'CRAM-MD5'], ['PLAIN', 'LOGIN']]) {
    const last = authMethods.at(-1);
    test(`signs in to a server that offers ${authMethods.join(', ')} and takes ${last}`, async (t) => {
      const tried: string[] = [];
      const { server, reset } = await openBoth(t, {
        authMethods,
        onAuth(auth, _session, callback) {
          tried.push(auth.method);
          const isRight =
            auth.username === 'spandrel' &&
            (auth.method === 'CRAM-MD5' ? auth.validatePassword('mail-password') : auth.password === 'mail-password');
          if (isRight && auth.method === last) callback(null, { user: auth.username });
          else callback(new Error('Not by this mechanism'));
        },
      });

      assert.equal(await reset(), 'sent');

      assert.deepEqual(tried, authMethods);
      assert.equal(server.mails.length, 1);
    });
  }

  test('lists the mechanisms of a server when none accepts a password', async (t) => {
    const { reset, lines } = await openBoth(t, { authMethods: ['XOAUTH2'] });

    assert.equal(await reset(), 'failed');

    assert.match(lines.join('\n'), /offers no mechanism for a password: XOAUTH2/);
  });

  test('lets no address and no name add a header, a recipient or markup', async (t) => {
    const { server, mailer } = await openBoth(t, {});
    const addresses = [
      'ann@example.com\r\nBcc: eve@example.com',
      'ann@example.com, eve@example.com',
      'ann@example.com;eve@example.com',
      'Ann <ann@example.com>',
      '"ann@example.com" <eve@example.com>',
      'ann@example.com\0',
      'ann@exa mple.com',
      'ann',
      '',
      `${'a'.repeat(400)}@example.com`,
    ];
    for (const to of addresses) {
      assert.equal(isMailAddress(to), false, to);
      assert.equal(await mailer.sendWelcome({ to, username: 'Ann' }), 'failed', to);
    }
    assert.equal(server.connectionCount(), 0);

    const username = 'Ann\r\nBcc: eve@example.com\r\n\r\n<a id="reset-url" href="https://evil.example">\u2028"\'&';
    assert.equal(await mailer.sendWelcome({ to: 'ann@example.com', username }), 'sent');
    const [mail] = server.mails;
    assert.deepEqual(mail?.to, ['ann@example.com']);
    assert.doesNotMatch(mail?.headers ?? '', /eve/);
    assert.doesNotMatch(mail?.html ?? '', /id="reset-url"|<a id="reset/);
    assert.match(mail?.html ?? '', /Hello Ann Bcc: eve@example\.com &lt;a id=&quot;reset-url&quot;/);
    assert.match(mail?.text ?? '', /^Hello Ann Bcc: [^\n]*\r\n\r\nAn administrator/);
  });

  test('escapes a token and a root URL in links', async (t) => {
    const server = await openMailServer(t, identity());
    const { mailer } = await open(t, accountAt(server.port, ca()), { rootUrl: () => 'https://a.example/"><script>' });

    await mailer.sendPasswordReset({ to: 'ann@example.com', username: 'Ann', token: '"&<x>#' });

    assert.doesNotMatch(server.mails[0]?.html ?? '', /<script>/);
    assert.match(server.mails[0]?.html ?? '', /\?token=%22%26%3Cx%3E%23"/);
  });

  test('keeps a bounded number of mails, and drops them when it closes', async (t) => {
    const server = await openMailServer(t, { ...identity(), onRcptTo: () => {} });
    const limits = { ...FAST, replyMsMax: 60_000, queueCountMax: 4 };
    const { mailer, lines } = await open(t, accountAt(server.port, ca()), { limits });
    const send = () => mailer.sendWelcome({ to: 'ann@example.com', username: 'Ann' });
    const mails = Array.from({ length: 4 }, send);

    assert.equal(await send(), 'failed');
    assert.match(lines.at(-1) ?? '', /4 mails already wait/);
    await mailer.close();
    assert.deepEqual(await Promise.all(mails), ['failed', 'failed', 'failed', 'failed']);
    assert.equal(await send(), 'failed');
  });
});
