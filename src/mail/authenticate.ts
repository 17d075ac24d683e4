import { createHmac } from 'node:crypto';
import type { SMTPTransportOptions } from 'nodemailer';

type Authenticate = NonNullable<SMTPTransportOptions['customAuth']>[string];
type Context = Parameters<Authenticate>[0];
interface Reply {
  readonly status: number;
  /** Text after the status. */
  readonly text: string;
  /** The whole line. */
  readonly response: string;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const isChallenge = ({ status }: Reply): boolean => status === 334;

/** Exchanges by name. Each ends with the last reply of the server. */
const EXCHANGES: Readonly<Record<string, (context: Context) => Promise<Reply>>> = {
  PLAIN: ({ sendCommand, auth: { credentials } }) =>
    sendCommand(`AUTH PLAIN ${base64(`\0${credentials.user}\0${credentials.pass}`)}`),
  async LOGIN({ sendCommand, auth: { credentials } }) {
    let reply = await sendCommand('AUTH LOGIN');
    if (isChallenge(reply)) reply = await sendCommand(base64(credentials.user));
    return isChallenge(reply) ? sendCommand(base64(credentials.pass)) : reply;
  },
  async 'CRAM-MD5'({ sendCommand, auth: { credentials } }) {
    const reply = await sendCommand('AUTH CRAM-MD5');
    if (!isChallenge(reply)) return reply;
    const challenge = Buffer.from(reply.text, 'base64');
    const digest = createHmac('md5', credentials.pass).update(challenge).digest('hex');
    return sendCommand(base64(`${credentials.user} ${digest}`));
  },
};

const MECHANISMS = new Map(Object.entries(EXCHANGES));

/**
 * Signs in by each mechanism that the mail server offers, until one succeeds: some servers offer one that the account cannot use,
 * and the library tries the first alone. A temporary rejection ends the attempt.
 */
export const authenticate: Authenticate = async (context) => {
  const offered = context.authMethods.flatMap((name) => MECHANISMS.get(name) ?? []);
  let rejection = `The mail server offers no mechanism for a password: ${context.authMethods.join(', ') || 'none'}`;
  for (const exchange of offered) {
    const { status, response } = await exchange(context);
    if (status >= 200 && status < 300) return;
    rejection = `Invalid login: ${response}`;
    if (status >= 400 && status < 500) break;
  }
  throw new Error(rejection);
};
