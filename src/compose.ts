import { createApis } from './create-apis.ts';
import { type Listeners, listen } from './listen.ts';
import { openDomain } from './open-domain.ts';
import { openParts } from './open-parts.ts';
import { openStores } from './open-stores.ts';
import { prepareRuntime, type RuntimeOptions } from './prepare-runtime.ts';

/** A running server. `close` stops accepting, finishes requests in flight, flushes, and closes the stores. */
export interface RunningServer extends Listeners {
  /** Where the metadata is, without passwords. */
  readonly metadataStore: string;
}

/** Runs the stages. What was opened is closed in reverse, also when a later stage fails. */
export const compose = (options: RuntimeOptions): Promise<RunningServer> =>
  openParts(async (keep) => {
    const runtime = await prepareRuntime(options);
    const stores = keep(await openStores(runtime));
    const domain = keep(await openDomain(runtime, stores));
    const { httpAddress, grpcPort } = keep(await listen(runtime, createApis(runtime, stores, domain)));
    return { httpAddress, grpcPort, metadataStore: stores.metadata.describe() };
  });
