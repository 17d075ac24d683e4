import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Endpoint } from '../database/pool.ts';
import { type Cluster, makeSocketDirectory, PASSWORD_FILE } from './embedded-cluster.ts';
import { embeddedEndpoint } from './embedded-owner.ts';
import { isRunning, readPostmaster } from './postmaster-file.ts';

/** Endpoint of the embedded Postgres that a server of this machine runs on a directory. Undefined when none runs. */
export async function findRunningEmbedded(dataDir: string): Promise<Endpoint | undefined> {
  const home = await realpath(dataDir).catch(() => undefined);
  if (home === undefined) return undefined;
  const data = join(home, 'data');
  const postmaster = await readPostmaster({ data });
  if (!postmaster || !(await isRunning({ data }, postmaster.pid))) return undefined;
  const password = await readFile(join(data, PASSWORD_FILE), 'utf8');
  const cluster: Cluster = { data, dataForPostgres: data, account: undefined, password };
  return embeddedEndpoint(cluster, await makeSocketDirectory(cluster));
}
