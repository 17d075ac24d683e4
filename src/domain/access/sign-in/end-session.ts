import { SpandrelError } from '../../../model/errors.ts';
import type { AccessPorts } from '../access-ports.ts';
import { type AuditParts, recorded } from '../audit.ts';

/**
 * Ends one session of the caller.
 *
 * @throws {SpandrelError} `UNAUTHENTICATED`, `USER_SESSION_NOT_FOUND`
 */
export async function endUserSession(
  ports: Pick<AccessPorts, 'signIn'> & AuditParts,
  sessionRowId: number,
): Promise<void> {
  const { caller, signIn } = ports;
  if (caller.kind !== 'signedIn') throw new SpandrelError('UNAUTHENTICATED', 'Not authenticated');
  await recorded(ports, async ({ userSessions }) => {
    const isEnded = await userSessions.end(caller.user.rowId, sessionRowId);
    if (!isEnded) throw new SpandrelError('USER_SESSION_NOT_FOUND', 'Session not found');
    const target = { kind: 'UserSession', id: String(sessionRowId), name: caller.user.username };
    return { result: undefined, entry: { action: 'session.end', outcome: 'DONE', target } };
  });
  await signIn?.credentials.sync();
}
