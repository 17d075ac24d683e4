import { realpath, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, type Registry } from 'prom-client';
import type { Log } from '../../base/log.ts';
import { EMBEDDED_RESTART_MS_MAX } from '../../model/limits/metadata-store.ts';
import type { Endpoint } from '../database/pool.ts';
import { chooseAccount } from './embedded-account.ts';
import { type Binaries, findBinaries } from './embedded-binaries.ts';
import { type Cluster, dataOwnerUid, makeHome, makeSocketDirectory, openCluster } from './embedded-cluster.ts';
import { clearTheWay, embeddedEndpoint, takeOwnership } from './embedded-owner.ts';
import { type PostgresProcess, type StartPostgres, startPostgres } from './embedded-process.ts';

/** The embedded Postgres, reached only through a Unix socket. It is restarted whenever it ends unexpectedly. */
export interface EmbeddedPostgres {
  readonly endpoint: Endpoint;
  /** A description of its location for users. */
  describe(): string;
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /**
   * Directory of the embedded Postgres, created at the first start. Its files are in the folder `data`, beside a copy
   * of the programs if one is needed.
   */
  readonly dataDir: string;
  readonly log: Log;
  readonly registry: Registry;
  /** See `FindBinaries`. */
  readonly packageDirectory?: string;
}

/**
 * Starts Postgres on the data directory, which is created at the first start.
 *
 * @throws {Error} one line that states the problem and a solution.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  const { cluster, binaries } = await prepare(options);
  const socketDirectory = await makeSocketDirectory(cluster);
  const start: StartPostgres = { cluster, binaries, socketDirectory, log };
  const supervised = await supervise(start, options.registry);
  try {
    const ownership = await takeOwnership(cluster, socketDirectory, log);
    return {
      endpoint: embeddedEndpoint(cluster, socketDirectory),
      describe: () => `embedded Postgres ${binaries.major} in ${cluster.data}`,
      async close() {
        supervised.expectEnd();
        await ownership.close();
        await supervised.close();
        if (socketDirectory !== cluster.data) await rm(socketDirectory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await supervised.close();
    throw error;
  }
}

async function prepare(options: EmbeddedPostgresOptions): Promise<{ cluster: Cluster; binaries: Binaries }> {
  const { dataDir, log, packageDirectory } = options;
  await makeHome(dataDir);
  const home = await realpath(dataDir);
  const account = chooseAccount(await dataOwnerUid(home));
  const binaries = await findBinaries({ home, account, log, ...(packageDirectory && { packageDirectory }) });
  return { binaries, cluster: await openCluster({ home, account, binaries, log }) };
}

/** Keeps Postgres running until it is closed. */
async function supervise(start: StartPostgres, registry: Registry) {
  const { cluster, log } = start;
  const restarts = new Counter({
    name: 'spandrel_embedded_postgres_restarts_total',
    help: 'Number of times that the embedded Postgres ended unexpectedly and was restarted.',
    registers: [registry],
  });
  const closing = new AbortController();
  let running = await startFirst(start);
  const watching = watch();

  async function watch(): Promise<void> {
    for (;;) {
      const how = await running.ended;
      if (closing.signal.aborted) return;
      log.error({ how }, 'Postgres ended unexpectedly; restarting it');
      const again = await startAgain();
      if (!again) return;
      running = again;
      if (closing.signal.aborted) return running.stop();
      restarts.inc();
      log.info({ pid: running.pid }, 'Postgres is running again');
    }
  }

  async function startAgain(): Promise<PostgresProcess | undefined> {
    for (let pauseMs = 100; !closing.signal.aborted; pauseMs = Math.min(2 * pauseMs, EMBEDDED_RESTART_MS_MAX)) {
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return undefined;
      try {
        return await startPostgres(start);
      } catch (error) {
        log.error({ error: (error as Error).message, pauseMs }, 'Could not start Postgres; the server retries');
      }
    }
    return undefined;
  }

  return {
    expectEnd: () => closing.abort(),
    async close(): Promise<void> {
      closing.abort();
      await running.stop();
      await watching;
      await running.ended;
      log.debug({ data: cluster.data }, 'Postgres is shut down');
    },
  };
}

/** Starts Postgres after the processes of a killed one have ended, which may take a moment. */
async function startFirst(start: StartPostgres): Promise<PostgresProcess> {
  for (let attempt = 1; ; attempt++) {
    await clearTheWay(start.cluster, start.socketDirectory, start.log);
    try {
      return await startPostgres(start);
    } catch (error) {
      const isInItsWay = /shared memory block|lock file/.test((error as Error).message);
      if (!isInItsWay || attempt === START_ATTEMPT_COUNT_MAX) throw error;
      await sleep(300);
    }
  }
}

const START_ATTEMPT_COUNT_MAX = 10;
