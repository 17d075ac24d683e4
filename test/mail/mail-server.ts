import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailServer } from '../../src/mail/mailer.ts';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly isSecure: boolean;
  readonly raw: string;
  /** Headers before the first part, unfolded. */
  readonly headers: string;
  /** Decoded parts. */
  readonly text: string;
  readonly html: string;
}

export interface RunningMailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Passwords that clients sent. */
  readonly passwords: string[];
  connectionCount(): number;
  close(): Promise<void>;
}

/** A mail server on 127.0.0.1 with the account `spandrel` and the password `mail-password`. */
export async function openMailServer(
  t: Pick<TestContext, 'after'>,
  options: SMTPServerOptions,
): Promise<RunningMailServer> {
  const mails: ReceivedMail[] = [];
  const passwords: string[] = [];
  let connectionCount = 0;
  const server = new SMTPServer({
    ...{ authOptional: false, disableReverseLookup: true, closeTimeout: 100 },
    onConnect(_session, callback) {
      connectionCount++;
      callback();
    },
    onAuth({ username, password }, _session, callback) {
      passwords.push(password ?? '');
      if (username === 'spandrel' && password === 'mail-password') callback(null, { user: username });
      else callback(new Error('Invalid username or password'));
    },
    onData(stream, { envelope, secure }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const from = envelope.mailFrom === false ? '' : (envelope.mailFrom?.address ?? '');
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), isSecure: secure, raw, ...parse(raw) });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= new Promise((resolve) => server.close(() => resolve()));
    return closing;
  };
  t.after(close);
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, passwords, connectionCount: () => connectionCount, close };
}

/** Settings of the account, verified by an authority. */
export const accountAt = (port: number, caFile: string): MailServer => ({
  ...{ host: 'localhost', port, username: 'spandrel', password: 'mail-password', from: 'noreply@example.com' },
  ...{ verifiesCertificate: true, caFile },
});

function parse(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const partOf = (type: string) => {
    const part = raw.split(/\r\n--/).find((one) => one.includes(`Content-Type: ${type}`)) ?? '';
    const body = part.slice(part.indexOf('\r\n\r\n') + 4);
    return /base64/.test(part.slice(0, part.indexOf('\r\n\r\n')))
      ? Buffer.from(body, 'base64').toString()
      : /quoted-printable/.test(part)
        ? decodeQuotedPrintable(body)
        : body;
  };
  return { headers: head.replace(/\r\n[ \t]+/g, ' '), text: partOf('text/plain'), html: partOf('text/html') };
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
