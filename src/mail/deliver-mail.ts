import { createTransport, type SMTPTransportOptions } from 'nodemailer';
import { MAIL_CONNECT_MS_MAX, MAIL_REPLY_MS_MAX } from '../model/limits/mail.ts';
import { authenticate } from './authenticate.ts';
import { isMailAddress, type Mail, type MailServer } from './mailer.ts';

/** Sends one mail by one attempt. Rejects with a `DeliveryError`. */
export type DeliverMail = (mail: Mail, signal: AbortSignal) => Promise<void>;

export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** True if another attempt would fail for the same reason. */
  readonly isPermanent: boolean;
  constructor(message: string, isPermanent: boolean, cause?: unknown) {
    super(message, { cause });
    this.isPermanent = isPermanent;
  }
}

export interface DeliveryOptions {
  readonly server: MailServer;
  /** PEM certificates of `server.caFile`. */
  readonly ca: string | undefined;
  /** Limits for tests. */
  readonly connectMsMax?: number;
  readonly replyMsMax?: number;
}

type TlsMode = 'startTls' | 'implicitTls';

/** Port whose servers speak TLS from the first byte (RFC 8314). */
const IMPLICIT_TLS_PORT = 465;

/** Delivers over STARTTLS or implicit TLS, whichever the server speaks, and never without TLS. */
export function createDelivery(options: DeliveryOptions): DeliverMail {
  const { server } = options;
  // The mode of the last success comes first, because trying the wrong one costs a time limit.
  let first: TlsMode = server.port === IMPLICIT_TLS_PORT ? 'implicitTls' : 'startTls';

  return async (mail, signal) => {
    const wrong = [...mail.to, ...(mail.cc === undefined ? [] : [mail.cc])].find((address) => !isMailAddress(address));
    if (wrong !== undefined || mail.to.length === 0) throw new DeliveryError('A recipient has no valid address', true);
    const second: TlsMode = first === 'startTls' ? 'implicitTls' : 'startTls';
    try {
      await attempt(first, mail, signal, options);
    } catch (error) {
      if (signal.aborted || !mayBeOtherMode(error)) throw toDeliveryError(error);
      try {
        await attempt(second, mail, signal, options);
      } catch (other) {
        throw mayBeOtherMode(other) ? toDeliveryError(error) : toDeliveryError(other);
      }
      first = second;
    }
  };
}

/** Name of the mechanism for the library that stands for all that the mail server offers. */
const OFFERED = 'OFFERED';

async function attempt(mode: TlsMode, mail: Mail, signal: AbortSignal, options: DeliveryOptions): Promise<void> {
  const { server, ca, connectMsMax = MAIL_CONNECT_MS_MAX, replyMsMax = MAIL_REPLY_MS_MAX } = options;
  const settings: SMTPTransportOptions = {
    host: server.host,
    port: server.port,
    secure: mode === 'implicitTls',
    // Without STARTTLS, the attempt ends before the password or the mail is sent.
    requireTLS: mode === 'startTls',
    auth: { user: server.username, pass: server.password, method: OFFERED },
    customAuth: { [OFFERED]: authenticate },
    tls: {
      rejectUnauthorized: server.verifiesCertificate,
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca }),
    },
    connectionTimeout: connectMsMax,
    dnsTimeout: connectMsMax,
    greetingTimeout: connectMsMax,
    socketTimeout: replyMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const transport = createTransport(settings);
  try {
    await transport.sendMail({
      // Objects, so that an address is never parsed as a list or as a name with an address.
      from: { name: 'Spandrel', address: server.from },
      to: mail.to.map((address) => ({ name: '', address })),
      ...(mail.cc === undefined ? {} : { cc: { name: '', address: mail.cc } }),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    });
  } finally {
    transport.close();
  }
}

interface SmtpFailure {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
  readonly syscall?: string;
  readonly message?: string;
}

/** Whether the server did not respond in this mode: no greeting, no TLS, or a rejected STARTTLS. */
function mayBeOtherMode(error: unknown): boolean {
  const { code, responseCode, command, message = '' } = error as SmtpFailure;
  if (code === 'ETLS') return responseCode !== undefined || /wrong version number|packet length/i.test(message);
  if (code === 'ECONNECTION' || code === 'EPROTOCOL') return true;
  if (command !== 'CONN') return false;
  return (
    (code === 'ETIMEDOUT' && /greeting/i.test(message)) ||
    (code === 'ESOCKET' && /wrong version number|packet length|ECONNRESET|socket hang up|disconnected/i.test(message))
  );
}

function toDeliveryError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { code, responseCode = 0, message = String(error) } = error as SmtpFailure;
  // A wrong password stays wrong, and repeated attempts may lock the account. 503 belongs to the session alone.
  const isPermanent = code === 'EAUTH' || (responseCode >= 500 && responseCode !== 503 && code !== 'ETLS');
  return new DeliveryError(message, isPermanent, error);
}
