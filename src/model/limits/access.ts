// Limits of sign-in, credentials, keys, the audit log and applications.
import { KiB } from './units.ts';

/** Rows of credentials and accounts in one query, when a server fills its cache at the start. */
export const CREDENTIAL_BATCH_ROW_COUNT = 10_000;
/** Time for which a credential change is stored for other servers. They read changes at least every few seconds. */
export const CREDENTIAL_CHANGE_SECONDS_MAX = 600;
/** Interval in which changes are read when notifications arrive, as a safety net, and when a pooler swallows them. */
export const CREDENTIAL_SYNC_MS = 5_000;
export const CREDENTIAL_POLL_MS = 400;
/**
 * While Postgres is unavailable, known credentials stay valid for this time, so that exporters go on. Then requests get 503,
 * because a revocation might be missed for longer.
 */
export const CREDENTIAL_STALE_MS_MAX = 15 * 60_000;
/** Interval in which the last uses of keys are stored. */
export const KEY_USE_MS = 60_000;
/** Interval in which expired tokens and sessions are deleted. */
export const CREDENTIAL_SWEEP_MS = 10 * 60_000;
/** A refresh token that is sent again within this time comes from a second tab or a retry, not from a thief. */
export const REFRESH_REPLAY_SECONDS_MAX = 10;
/** Days after which a session ends although it is in use. */
export const SESSION_DAYS_MAX = 30;
/** Failed sign-ins are forgotten after this time without another one. */
export const SIGN_IN_FAILURE_MINUTES_MAX = 20;
/** Time of the lock after the last allowed failure. */
export const SIGN_IN_LOCK_SECONDS = 300;
/** Hours between two mails that notify a user of locks, because anyone can cause one every few minutes. */
export const LOCK_NOTICE_HOURS = 24;
/** Passwords that are hashed at once, and that wait for it. More get 503. A hash takes 19 MiB and a core. */
export const PASSWORD_HASH_COUNT_MAX = 2;
export const PASSWORD_HASH_QUEUE_LENGTH_MAX = 200;
/** Rest after each hash of a rush on a machine with at most two cores, as a multiple of the duration of the hash. */
export const PASSWORD_HASH_REST_SHARE = 1;
export const SMALL_MACHINE_CORES = 2;
/** Changes with an entry in the audit log that run or wait. More get 503. */
export const AUDITED_CHANGE_COUNT_MAX = 1_000;
/** Attempts to sign in to one account, with those that wait for earlier ones. More get 503. */
export const SIGN_IN_QUEUE_LENGTH_MAX = 100;
/** Longer passwords are rejected unread, because hashing takes time with their length. */
export const PASSWORD_LENGTH_MAX = 1_024;
/** Length of the name or email of an account, and of the name and description of a key. */
export const ACCOUNT_TEXT_LENGTH_MAX = 256;
export const KEY_TEXT_LENGTH_MAX = 2_000;
/** Projects that a key names, which every server holds in memory. */
export const KEY_PROJECT_COUNT_MAX = 100;
/** Members of a project, which every server holds in memory. */
export const PROJECT_MEMBER_COUNT_MAX = 1_000;
/** Length of the name of a group, which an identity provider chooses. */
export const GROUP_NAME_LENGTH_MAX = 500;
/** Identities that a user can link. Every sign-in of the user may use any of them. */
export const LINKED_IDENTITY_COUNT_MAX = 20;
/** Size of the body of a route of sign-in. */
export const SIGN_IN_BODY_BYTES_MAX = 16 * KiB;
/** Length of a token in a request. Ours have about 220 characters. */
export const TOKEN_LENGTH_MAX = 2_048;
/** Time in which our own notification must arrive on a connection that listens, and the wait before another connection. */
export const LISTEN_PROOF_MS_MAX = 2_000;
export const LISTEN_RETRY_MS = 5_000;
/** Entries of the audit log that its check reads at once. */
export const AUDIT_BATCH_ROW_COUNT = 5_000;
/** Entries of a page of the audit log, and of an export of it as CSV. */
export const AUDIT_PAGE_ROW_COUNT_MAX = 1_000;
export const AUDIT_EXPORT_ROW_COUNT_MAX = 100_000;
/** Interval in which old entries of the audit log are deleted. */
export const AUDIT_SWEEP_MS = 6 * 3_600_000;
/** Time that the end of a connection that listens may take. */
export const LISTEN_CLOSE_MS_MAX = 1_000;
/** Time in which a person must sign in at the identity provider. */
export const OAUTH2_COOKIE_SECONDS = 15 * 60;
/** Time in which a user must decide about an application, and in which the application must redeem its code. */
export const OAUTH2_REQUEST_SECONDS = 15 * 60;
export const OAUTH2_CODE_SECONDS = 5 * 60;
/** Length of the state of an authorization request. 22 characters of base64url are 128 random bits. */
export const OAUTH2_STATE_LENGTH_MIN = 22;
export const OAUTH2_STATE_LENGTH_MAX = 512;
/** Scopes of a request, and the length of each. They are shown to the user. */
export const OAUTH2_SCOPE_COUNT_MAX = 20;
export const OAUTH2_SCOPE_LENGTH_MAX = 100;
/** Redirect URIs of an application, the length of each, and the length of its name. Anyone may register applications. */
export const OAUTH2_REDIRECT_COUNT_MAX = 10;
export const OAUTH2_REDIRECT_LENGTH_MAX = 1_000;
export const OAUTH2_CLIENT_NAME_LENGTH_MAX = 100;
/** Applications that no user has accepted: per address and day, and in total. More registrations get 429. */
export const OAUTH2_UNUSED_CLIENTS_PER_DAY_MAX = 50;
export const OAUTH2_UNUSED_CLIENT_COUNT_MAX = 10_000;
/** Days after which an application that no user has accepted is deleted, and a grant after its end. */
export const OAUTH2_UNUSED_CLIENT_DAYS_MAX = 7;
export const OAUTH2_DEAD_GRANT_DAYS_MAX = 30;
