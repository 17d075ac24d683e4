import type { Caller } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { AccessPorts } from './access-ports.ts';

/**
 * Ends one session of the caller.
 *
 * @throws {SpandrelError} `UNAUTHENTICATED`, `USER_SESSION_NOT_FOUND`
 */
export async function endUserSession(
  { userSessions, signIn, caller }: Pick<AccessPorts, 'userSessions' | 'signIn'> & { readonly caller: Caller },
  sessionRowId: number,
): Promise<void> {
  if (caller.kind !== 'signedIn') throw new SpandrelError('UNAUTHENTICATED', 'Not authenticated');
  const isEnded = await userSessions.end(caller.user.rowId, sessionRowId);
  if (!isEnded) throw new SpandrelError('USER_SESSION_NOT_FOUND', 'Session not found');
  await signIn?.credentials.sync();
}
