import type { SessionReader } from '../../contract/sessions.ts';
import type { ReadsOf } from '../read-context.ts';
import { findSessions } from './find-sessions.ts';
import { listSessions } from './list-sessions.ts';

/** Implementations of `SessionReader`. */
export const SESSION_READS: ReadsOf<SessionReader> = {
  findSessions,
  listSessions,
};
