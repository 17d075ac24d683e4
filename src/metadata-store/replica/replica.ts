import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Pool } from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';
import { expectPresent } from '../../base/expect-present.ts';
import type { Log } from '../../base/log.ts';
import {
  REPLICA_CHECK_MS,
  REPLICA_LAG_MS_MAX,
  REPLICA_WAIT_MS_MAX,
  REPLICA_WRITER_COUNT_MAX,
} from '../../model/limits/metadata-store.ts';
import { type Db, openDbOn } from '../database/database.ts';
import type { DatabaseAddress } from '../database/database-url.ts';
import type { PoolOptions } from '../database/pool.ts';
import { withCallerErrors } from '../database/pool-errors.ts';
import { endOfLastRecord, parseLogPosition } from './log-position.ts';
import { poolWithFallback } from './pool-with-fallback.ts';
import { connectReplica, type ReplicaConnection } from './replica-connection.ts';
import { ReplicaLag } from './replica-lag.ts';
import { openSharedWrites, type SharedWritesOptions, type Writer } from './shared-writes.ts';
import { WritePositions } from './write-positions.ts';

/** A streaming standby that serves reads. While it is unavailable or behind, the primary serves them. */
export interface Replica {
  /** Reads from the standby. What fails there is repeated on the primary. */
  readonly db: Db;
  /**
   * Whether the standby may serve the next reads of a caller: it is available, not far behind, and has the last write of
   * that caller, on whichever server it was. Waits for that write at most `REPLICA_WAIT_MS_MAX`.
   */
  mayServe(caller: Writer): Promise<boolean>;
  /** Records for all servers that a caller has written. Called after the commit and before the response. */
  recordWrite(caller: Writer): Promise<void>;
  /** Records a write that every caller must see. */
  recordWriteForAll(): Promise<void>;
  /** Its connections, for metrics. Undefined while it is lost. */
  pool(): Pool | undefined;
  close(): Promise<void>;
}

export interface ReplicaOptions extends PoolOptions, ReplicaTimes {
  readonly address: DatabaseAddress;
  readonly primary: { readonly db: Db; readonly pool: Pool };
  readonly listen: SharedWritesOptions['listen'];
  readonly log: Log;
  readonly logSql?: boolean;
  readonly registry: Registry;
}

/** Shorter times, for tests. */
export interface ReplicaTimes {
  readonly checkMs?: number;
  readonly lagMsMax?: number;
}

type State = 'available' | 'behind' | 'lost';

/** Connects to the replica in the background when it is not available now. */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const { address, primary, log, registry, checkMs = REPLICA_CHECK_MS, lagMsMax = REPLICA_LAG_MS_MAX } = options;
  const positions = new WritePositions(REPLICA_WRITER_COUNT_MAX);
  const lag = new ReplicaLag(lagMsMax);
  const closing = new AbortController();
  let connection: ReplicaConnection | undefined;
  let state: State | undefined;
  /** A write whose position is unknown, because the primary did not answer afterwards. */
  let isUnsure = false;
  /** The primary did not answer the last check. No server can write then. */
  let isPrimaryAway = false;
  let asking: Promise<void> | undefined;
  /** The question about writes before those that are reported. Reads that start before its answer wait for it. */
  let catchingUp: Promise<void> | undefined;

  const reads = new Counter({
    name: 'spandrel_replica_reads_total',
    help: 'Requests that read metadata, by the server that was chosen for them, and why the primary was.',
    labelNames: ['server', 'reason'],
    registers: [registry],
  });
  const fallbacks = new Counter({
    name: 'spandrel_replica_fallbacks_total',
    help: 'Statements that failed on the replica and ran on the primary.',
    registers: [registry],
  });
  new Gauge({
    name: 'spandrel_replica_available',
    help: '1 while the replica serves reads, 0 while it is lost or behind.',
    registers: [registry],
    collect() {
      this.set(state === 'available' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'spandrel_replica_notified',
    help: '1 while the writes of other servers are reported, 0 while each read asks the primary for them.',
    registers: [registry],
    collect() {
      this.set(sharedWrites.isListening ? 1 : 0);
    },
  });
  new Gauge({
    name: 'spandrel_replica_lag_seconds',
    help: 'Age of the data on the replica, to the interval of its checks.',
    registers: [registry],
    collect() {
      this.set(lag.ageMs(positions.replayed, Date.now()) / 1_000);
    },
  });

  /** One warning when the replica stops serving, and one line when it serves again. */
  function setState(next: State, reason?: string): void {
    if (state === next || closing.signal.aborted) return;
    const wasServing = state === 'available' || state === undefined;
    state = next;
    if (next === 'available') log.info({ url: address.masked }, 'The read replica serves reads');
    else if (wasServing) {
      log.warn(
        { url: address.masked, state, ...(reason && { reason }) },
        'The read replica is not usable; the primary serves its reads until it is',
      );
    }
  }

  const sharedWrites = openSharedWrites({
    primary: primary.db,
    listen: options.listen,
    onWrite(writer, position) {
      if (writer === undefined) positions.recordForAll(position);
      else positions.record(writer, position);
    },
    onListening() {
      const question = recordMissedWrites().finally(() => {
        if (catchingUp === question) catchingUp = undefined;
      });
      catchingUp = question;
    },
  });
  /** Concurrent reads share a question, but not one that was asked before they arrived. */
  const askPrimary = createSharedQuestion(async () => positions.recordForAll(await primaryPosition()));

  /** Other servers may have written what they could not report. */
  async function recordMissedWrites(): Promise<void> {
    try {
      await askPrimary();
    } catch {
      isUnsure = true;
    }
  }

  const primaryPosition = () =>
    readPosition(sql<{ position: string }>`select pg_current_wal_insert_lsn()::text as position`);
  /** A standby gets only what the primary has on disk. A commit that does not wait for the disk is there up to 0.6 s later. */
  const primaryPositionOnDisk = () =>
    readPosition(sql<{ position: string }>`select pg_current_wal_flush_lsn()::text as position`);

  async function readPosition(query: RawBuilder<{ position: string }>): Promise<bigint> {
    const { rows } = await query.execute(primary.db);
    return endOfLastRecord(parseLogPosition(expectPresent(rows[0], 'the query returns one row').position));
  }

  async function lose(error: unknown): Promise<void> {
    const lost = connection;
    connection = undefined;
    setState('lost', error instanceof Error ? error.message : String(error));
    await lost?.abort();
  }

  async function askReplayed(from: ReplicaConnection): Promise<void> {
    const replayed = await from.readReplayed();
    if (connection !== from) return;
    if (replayed === undefined) throw new Error('it is not a standby of the primary');
    positions.replayed = replayed;
  }

  /** Concurrent readers share one question. */
  function refresh(): Promise<void> {
    const current = connection;
    if (!current) return Promise.resolve();
    asking ??= askReplayed(current)
      .catch((error) => (connection === current ? lose(error) : undefined))
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }

  async function check(): Promise<void> {
    try {
      lag.observe(await primaryPositionOnDisk(), Date.now());
      if (isUnsure) {
        positions.recordForAll(await sharedWrites.publish(undefined));
        isUnsure = false;
      }
      isPrimaryAway = false;
    } catch {
      // The replica serves reads while the primary is away; its lag is not known then.
      isPrimaryAway = true;
    }
    if (!connection) {
      try {
        const connected = await connectReplica(address, { ...options, primary: primary.pool });
        if (closing.signal.aborted) return await connected.abort();
        connection = connected;
      } catch (error) {
        return setState('lost', error instanceof Error ? error.message : String(error));
      }
    }
    await refresh();
    if (!connection) return;
    setState(lag.ageMs(positions.replayed, Date.now()) > lagMsMax ? 'behind' : 'available');
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(checkMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      if (!closing.signal.aborted) await check();
    }
  }

  async function recordForAll(): Promise<void> {
    try {
      positions.recordForAll(await sharedWrites.publish(undefined));
    } catch {
      isUnsure = true;
    }
  }

  // Migrations have just changed the tables.
  await recordForAll();
  await check();
  void watch();
  const replicaPools = new WeakMap<Pool, ReturnType<typeof withCallerErrors>>();
  const pool = poolWithFallback({
    primary: withCallerErrors(primary.pool),
    replica() {
      if (!connection) return undefined;
      const known = replicaPools.get(connection.pool) ?? withCallerErrors(connection.pool);
      replicaPools.set(connection.pool, known);
      return known;
    },
    onFallback() {
      fallbacks.inc();
      void refresh();
    },
  });

  return {
    db: openDbOn(pool, options),
    async mayServe(caller) {
      if (state !== 'available' || isUnsure) {
        reads.inc({ server: 'primary', reason: state === 'behind' ? 'behind' : 'lost' });
        return false;
      }
      if (!isPrimaryAway) await (sharedWrites.isListening ? catchingUp : recordMissedWrites());
      if (!positions.hasAllOf(caller)) {
        await Promise.race([refresh(), sleep(REPLICA_WAIT_MS_MAX)]);
        if (!positions.hasAllOf(caller)) {
          reads.inc({ server: 'primary', reason: 'write' });
          return false;
        }
      }
      reads.inc({ server: 'replica', reason: '' });
      return true;
    },
    async recordWrite(caller) {
      try {
        positions.record(caller, await sharedWrites.publish(caller));
      } catch {
        isUnsure = true;
      }
    },
    recordWriteForAll: recordForAll,
    pool: () => connection?.pool,
    async close() {
      closing.abort();
      const last = connection;
      // A check that runs now finds that its connection is gone.
      connection = undefined;
      await Promise.all([sharedWrites.close(), last?.abort()]);
    },
  };
}

/** Everyone who asks gets an answer to a question that was sent after it. At most one question runs, and one waits. */
function createSharedQuestion(ask: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        running = ask();
        return running;
      });
    return next;
  };
}
