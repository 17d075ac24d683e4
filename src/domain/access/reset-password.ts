import { normalizeEmail } from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { AccessPorts } from './access-ports.ts';
import { type AuditParts, record, signingIn } from './audit.ts';
import { checkPassword } from './password-rules.ts';
import { signInPorts } from './sign-in/sign-in.ts';

type Parts = AccessPorts & AuditParts;

/**
 * Mails a link to the owner of an email. Has no effect for an unknown email, so that a caller cannot probe accounts: the mail
 * is sent after the response.
 *
 * @throws {SpandrelError} `ACCESS_DENIED`, `REQUEST_INVALID`, `SIGN_IN_UNAVAILABLE` without a mail server
 */
export async function requestPasswordReset(ports: Parts, input: { readonly email: string }): Promise<void> {
  const { users, userSessions, accessPolicy, mailer } = ports;
  const { tokens } = signInPorts(ports);
  if (!accessPolicy.allowsPasswords) throw new SpandrelError('ACCESS_DENIED', 'Forbidden');
  const email = normalizeEmail(input.email);
  if (email === '') throw new SpandrelError('REQUEST_INVALID', 'Email required');
  if (mailer === undefined) throw new SpandrelError('SIGN_IN_UNAVAILABLE', 'SMTP server not configured');
  const send = async () => {
    const account = await users.findPasswordAccount(email);
    if (account === undefined) return;
    const rowId = await userSessions.allocateResetTokenRowId();
    const { text, hash } = tokens.mint('PasswordResetToken', rowId);
    const expiresAt = new Date(Date.now() + accessPolicy.resetTokenMs);
    await userSessions.createResetToken(account.user.rowId, { rowId, hash, expiresAt });
    const target = { kind: 'User', id: String(account.user.rowId), name: account.user.username };
    await record(
      ports,
      { action: 'password.request-reset', outcome: 'DONE', target },
      signingIn(account.user, ports.remoteAddress),
    );
    mailer.sendPasswordReset({ to: email, username: account.user.username, token: text });
  };
  void send().catch((error) => ports.reportFailure(error, 'Could not create the link of a password reset'));
}

/**
 * Sets a password with the token of a mail. Ends all sessions and applications of the user, and the lock of the account.
 *
 * @throws {SpandrelError} `ACCESS_DENIED`, `REQUEST_INVALID`, `SIGN_IN_FAILED` for an invalid token, `PASSWORD_INVALID`
 */
export async function resetPassword(
  ports: Parts,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const { users, userSessions, passwords, accessPolicy, signInFailures } = ports;
  const { tokens, credentials } = signInPorts(ports);
  if (!accessPolicy.allowsPasswords) throw new SpandrelError('ACCESS_DENIED', 'Forbidden');
  if (password === '') throw new SpandrelError('REQUEST_INVALID', 'Password required');
  const read = tokens.read(token);
  if (read?.kind !== 'PasswordResetToken') throw new SpandrelError('SIGN_IN_FAILED', 'Invalid token');
  // Before the token is used up, so that a better password can follow.
  checkPassword(password, accessPolicy.passwords);
  const hash = await passwords.hash(password);
  const userRowId = await userSessions.takeResetToken(read.hash, new Date());
  if (userRowId === undefined) throw new SpandrelError('SIGN_IN_FAILED', 'Invalid token');
  const user = (await users.findByRowIds([userRowId])).get(userRowId);
  if (user === undefined || user.authMethod !== 'LOCAL') return;
  const actor = signingIn(user, ports.remoteAddress);
  await ports.audit.inTransaction(actor, async (changed) => {
    await changed.users.setPassword(userRowId, { hash, needsReset: false });
    await changed.userSessions.endAll([userRowId]);
    await changed.oauth2Grants.revokeOfUsers([userRowId]);
    const target = { kind: 'User', id: String(userRowId), name: user.username };
    return { result: undefined, entry: { action: 'password.reset', outcome: 'DONE', target } };
  });
  await credentials.sync();
  if (user.email !== null) await signInFailures.clear([user.email]);
}
