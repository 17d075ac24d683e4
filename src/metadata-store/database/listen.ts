import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { LISTEN_CLOSE_MS_MAX, LISTEN_PROOF_MS_MAX, LISTEN_RETRY_MS } from '../../model/limits/access.ts';
import { clientConfig, type Endpoint, quoteIdentifier, type SessionOptions } from './pool.ts';

export interface ChannelListener {
  onNotification(payload: string): void;
  /** True once our own notification of another connection has arrived: a pooler may accept `listen` and deliver nothing. */
  onStateChange(isListening: boolean): void;
}

/** Listens on a connection of its own, which is opened again when it is lost. */
export function listenTo(
  endpoint: Endpoint,
  options: SessionOptions,
  channel: string,
  listener: ChannelListener,
): { close(): Promise<void> } {
  let isClosed = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const retry = () => {
    listener.onStateChange(false);
    if (isClosed) return;
    timer = setTimeout(connect, LISTEN_RETRY_MS);
    timer.unref();
  };
  async function connect(): Promise<void> {
    const opened = new Client(clientConfig(endpoint, options));
    client = opened;
    let isLost = false;
    const lose = () => {
      if (isLost) return;
      isLost = true;
      clearTimeout(proof);
      opened.end().catch(() => {});
      retry();
    };
    let proof: NodeJS.Timeout | undefined;
    const token = randomUUID();
    opened.on('error', lose);
    opened.on('end', lose);
    opened.on('notification', ({ payload }) => {
      if (payload !== token) return listener.onNotification(payload ?? '');
      clearTimeout(proof);
      listener.onStateChange(true);
    });
    try {
      await opened.connect();
      await opened.query(`listen ${quoteIdentifier(channel)}`);
      proof = setTimeout(lose, LISTEN_PROOF_MS_MAX);
      proof.unref();
      await notify(endpoint, options, channel, token);
    } catch {
      lose();
    }
  }
  void connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      // A connection that is lost already may never report its end.
      await Promise.race([client?.end().catch(() => {}), sleep(LISTEN_CLOSE_MS_MAX, undefined, { ref: false })]);
    },
  };
}

/**
 * Notifies on a connection of its own. A pooler in transaction mode delivers what arrives with the response to a statement, so a
 * notification of the connection that listens would arrive, and no later one of others.
 */
async function notify(endpoint: Endpoint, options: SessionOptions, channel: string, payload: string): Promise<void> {
  const client = new Client(clientConfig(endpoint, options));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_notify($1, $2)', [channel, payload]);
  } finally {
    await client.end().catch(() => {});
  }
}
