// Limits of Postgres: connections, statements, its replica and the embedded server.

/** Connections of the pool to the metadata database, and the same number to its read replica. */
export const METADATA_CONNECTION_COUNT_MAX = 10;
/** Connections of the embedded Postgres: the pool, the session of its owner, `db move`, and three psql sessions. */
export const EMBEDDED_CONNECTION_COUNT_MAX = 25;
/** The database cancels a metadata statement after this time. Migrations and moves have no limit. */
export const METADATA_STATEMENT_MS_MAX = 30_000;
/** Duration after which `copy` goes on in another statement: rows may arrive slowly, and no statement is without a limit. */
export const COPY_STATEMENT_MS = 60_000;
/** Maximum wait for a lock when a project is created. The spans of all projects wait behind it. */
export const PROJECT_LOCK_MS_MAX = 2_000;
/** Pause before the creation of a project is retried. Its spans are stored during the pause. */
export const PROJECT_RETRY_MS = 5_000;
/** Wait for a free or a new connection. */
export const METADATA_CONNECT_MS_MAX = 5_000;
/** Time that a connection is in use before the server checks whether Postgres still responds on another one. */
export const METADATA_SILENCE_MS = 2_000;
/** Time for Postgres to accept another connection and to respond on it. One that takes longer counts as unavailable. */
export const METADATA_PROBE_MS_MAX = 5_000;
/** Wait for a connection to the read replica. The primary serves the read after it. */
export const REPLICA_CONNECT_MS_MAX = 1_000;
/** Interval between checks of the read replica. A lost one returns within it. */
export const REPLICA_CHECK_MS = 1_000;
/** Time for the replica to say how far it is. A replica that takes longer counts as lost. */
export const REPLICA_CHECK_MS_MAX = 2_000;
/** Age of the data on the replica above which the primary serves all reads. */
export const REPLICA_LAG_MS_MAX = 10_000;
/** Wait of a read for the last write of its caller on the replica. The primary serves the read after it. */
export const REPLICA_WAIT_MS_MAX = 1;
/** Wait of a write until the other servers have its position. Usually under 2 ms; the response is sent after it. */
export const REPLICA_NOTICE_MS_MAX = 200;
/** Writes that one notification confirms. A notification of Postgres has at most 8,000 bytes. */
export const REPLICA_RECEIPT_COUNT_MAX = 200;
/** Callers whose last write the replica does not have yet. Above it, all reads wait for the newest of these writes. */
export const REPLICA_WRITER_COUNT_MAX = 10_000;
/** Lifetime of a connection, shorter than the hour after which gateways and cloud logins close it. */
export const METADATA_CONNECTION_SECONDS_MAX = 3_300;
/** Time at start for a database to become reachable, because both may have been started together. */
export const METADATA_START_MS_MAX = 30_000;
/** Time for the embedded Postgres to write its checkpoint and stop. After it, Postgres is stopped immediately. */
export const EMBEDDED_STOP_MS_MAX = 10_000;
/** Longest pause before a crashed embedded Postgres is restarted. */
export const EMBEDDED_RESTART_MS_MAX = 10_000;
