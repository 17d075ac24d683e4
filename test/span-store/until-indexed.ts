import { setTimeout as delay } from 'node:timers/promises';
import type { SpanStore } from '../../src/span-store/contract/span-store.ts';

/** Waits until every full block of spans has its filter. */
export async function untilIndexed(store: SpanStore): Promise<void> {
  while ((await store.stats()).unindexedBlockCount > 0) await delay(1);
}
