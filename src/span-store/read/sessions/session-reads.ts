import type { SessionReader } from '../../contract/sessions.ts';
import type { ReadsOf } from '../read-context.ts';
import { findUsersOfSessions } from '../traces/find-trace-details.ts';
import { findSession, findSessions } from './find-sessions.ts';
import { findSessionDetails, findSessionsByRowIds, listSessions } from './list-sessions.ts';

/** Implementations of `SessionReader`. */
export const SESSION_READS: ReadsOf<SessionReader> = {
  findSessions,
  findSession,
  listSessions,
  findSessionsByRowIds,
  findSessionDetails,
  findUsersOfSessions,
};
