import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import { REPLICA_NOTICE_MS_MAX, REPLICA_RECEIPT_COUNT_MAX } from '../../model/limits/metadata-store.ts';
import type { Db } from '../database/database.ts';
import type { ChannelListener } from '../database/listen.ts';
import { endOfLastRecord, type LogPosition, parseLogPosition } from './log-position.ts';

/** A caller who has written, as all servers name it: `user 7`. */
export type Writer = `user ${number | null}`;

/** Positions of writes, of this server and of the others on the same database. */
export interface SharedWrites {
  /** Whether the writes of other servers arrive. They do not while the connection is lost or a pooler swallows them. */
  readonly isListening: boolean;
  /**
   * Reports a write to the other servers, and returns the position of the primary after it. Resolves when each of them
   * has received it. One that does not confirm in time is not waited for until it is heard again.
   */
  publish(writer: Writer | undefined): Promise<LogPosition>;
  close(): Promise<void>;
}

export interface SharedWritesOptions {
  readonly primary: Db;
  readonly listen: (channel: string, listener: ChannelListener) => { close(): Promise<void> };
  /** A write of another server. Undefined: it concerns everyone. */
  onWrite(writer: Writer | undefined, position: LogPosition): void;
  /** Writes arrive from now on. Those before it did not. */
  onListening(): void;
}

/** Channel on which the servers of a database report positions of writes to each other. */
const CHANNEL = 'spandrel_writes';
/** `hello 5f0c…` asks the other servers for `here 61ab…`; `bye 5f0c…` ends it. */
const GREETING = /^(hello|here|bye) ([0-9a-f]{16})$/;
/** `write 5f0c….12 16/B374D848 user 7`: server and number of the write, position, and its writer. */
const WRITE = /^write ([0-9a-f]{16})\.(\d{1,15}) ([\dA-F]{1,8}\/[\dA-F]{1,8})(?: (user \w{1,20}))?$/;
/** `received 61ab… 5f0c….12 5f0c….13`: a server has received these writes. */
const RECEIPT = /^received ([0-9a-f]{16})((?: [0-9a-f]{16}\.\d{1,15})+)$/;

export function openSharedWrites({ primary, listen, onWrite, onListening }: SharedWritesOptions): SharedWrites {
  const id = randomBytes(8).toString('hex');
  /** Other servers that listen. */
  const peers = new Set<string>();
  /** Own writes that peers have not confirmed. */
  const unconfirmed = new Map<string, { settle(peer: string): void }>();
  let toConfirm: string[] = [];
  let isListening = false;
  let isClosed = false;
  let lastWrite = 0;

  const connection = listen(CHANNEL, {
    onNotification: receive,
    onStateChange(state) {
      isListening = state;
      // Receipts do not arrive, so a write would wait for them in vain.
      if (!state) return peers.clear();
      onListening();
      void send(`hello ${id}`);
    },
  });

  function receive(message: string): void {
    const [, greeting, peer] = GREETING.exec(message) ?? [];
    if (peer !== undefined && peer !== id) {
      if (greeting === 'bye') lose(peer);
      else peers.add(peer);
      if (greeting === 'hello') void send(`here ${id}`);
    }
    const [, server, number, position, writer] = WRITE.exec(message) ?? [];
    if (server !== undefined && position !== undefined && server !== id) {
      peers.add(server);
      onWrite(writer as Writer | undefined, endOfLastRecord(parseLogPosition(position)));
      confirm(`${server}.${number}`);
    }
    const [, receiver, writes] = RECEIPT.exec(message) ?? [];
    if (receiver === undefined || writes === undefined || receiver === id) return;
    peers.add(receiver);
    for (const write of writes.trim().split(' ')) unconfirmed.get(write)?.settle(receiver);
  }

  function lose(peer: string): void {
    peers.delete(peer);
    for (const { settle } of unconfirmed.values()) settle(peer);
  }

  /** Receipts of one turn are one message. */
  function confirm(write: string): void {
    toConfirm.push(write);
    if (toConfirm.length > 1) return;
    setImmediate(() => {
      const all = toConfirm;
      toConfirm = [];
      for (let from = 0; from < all.length; from += REPLICA_RECEIPT_COUNT_MAX)
        void send(`received ${id} ${all.slice(from, from + REPLICA_RECEIPT_COUNT_MAX).join(' ')}`);
    });
  }

  /** A message that is lost costs its receiver a wait, and no write. */
  async function send(message: string): Promise<void> {
    if (!isClosed) await notify(sql`${message}`).catch(() => {});
  }

  async function notify(message: ReturnType<typeof sql>): Promise<string> {
    // A notification is a commit. What it reports is stored already, so it does not wait for the disk.
    const { rows } = await sql<{ position: string }>`
      select position, set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, ${message})
      from (select pg_current_wal_insert_lsn()::text as position offset 0) as log`.execute(primary);
    return expectPresent(rows[0], 'the query returns one row').position;
  }

  /** Begins to wait for the peers of now. `cancel` ends the wait. */
  function expectReceipts(write: string): { readonly arrived: Promise<void>; cancel(): void } {
    const missing = new Set(peers);
    let resolve = () => {};
    const arrived = new Promise<void>((onArrival) => {
      resolve = onArrival;
    });
    const cancel = () => {
      clearTimeout(timer);
      unconfirmed.delete(write);
      resolve();
    };
    const timer = setTimeout(() => {
      for (const peer of missing) peers.delete(peer);
      cancel();
    }, REPLICA_NOTICE_MS_MAX);
    const settle = (peer: string) => {
      missing.delete(peer);
      if (missing.size === 0) cancel();
    };
    unconfirmed.set(write, { settle });
    if (missing.size === 0) cancel();
    return { arrived, cancel };
  }

  return {
    get isListening() {
      return isListening;
    },
    async publish(writer) {
      const write = `${id}.${++lastWrite}`;
      const receipts = expectReceipts(write);
      const suffix = writer === undefined ? '' : ` ${writer}`;
      const position = await notify(sql`${`write ${write} `} || position || ${suffix}`).catch((error) => {
        receipts.cancel();
        throw error;
      });
      await receipts.arrived;
      return endOfLastRecord(parseLogPosition(position));
    },
    async close() {
      await send(`bye ${id}`);
      isClosed = true;
      await connection.close();
    },
  };
}
