/** `DENIED`: the caller lacked a right or a valid credential. */
export type AuditOutcome = 'DONE' | 'DENIED';
