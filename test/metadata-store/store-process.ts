// A server as far as the metadata store goes: opens it, says so, and waits to be told to close or to be killed.
import { Registry } from 'prom-client';
import { silentLog } from '../../src/base/log.ts';
import {
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from '../../src/metadata-store/embedded/embedded-postgres.ts';
import { openMetadataStore } from '../../src/metadata-store/metadata-store.ts';
import { resolveProjectIds } from '../../src/metadata-store/projects/projects.ts';
import type { StoreProcessOptions, StoreProcessReply } from './run-store-process.ts';

const options = JSON.parse(process.argv[2]!) as StoreProcessOptions;
const reply = (message: StoreProcessReply) => process.send!(message);
try {
  const { projectNames, packageDirectory, ...given } = options;
  if (packageDirectory !== undefined) {
    const embedded: EmbeddedPostgresOptions = {
      dataDir: given.dataDir,
      packageDirectory,
      log: silentLog,
      registry: new Registry(),
    };
    await (await openEmbeddedPostgres(embedded)).close();
  }
  const store = await openMetadataStore({ ...given, log: silentLog, registry: new Registry(), migrate: true });
  const ids = await resolveProjectIds(store.db, projectNames ?? []);
  reply({ opened: true, projectIds: Object.fromEntries(ids) });
  process.once('message', async () => {
    await store.close();
    process.disconnect();
  });
} catch (error) {
  reply({ opened: false, error: (error as Error).message });
  process.disconnect();
}
