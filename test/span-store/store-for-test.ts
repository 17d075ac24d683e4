import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { silentLog } from '../../src/base/log.ts';
import { type DuckdbSpanStore, openSpanStore } from '../../src/span-store/open-span-store.ts';
import { TEST_FOLDER } from '../fixtures/test-folder.ts';

/** An empty store in its own directory, with the project `default` (1), for the duration of the test. */
export async function storeForTest(
  t: TestContext,
  options: { readonly recentSpanBytes?: number } = {},
): Promise<DuckdbSpanStore> {
  const dir = await mkdtemp(join(TEST_FOLDER, 'span-store-'));
  const resolveProjects = async () => new Map([['default', 1]]);
  const store = await openSpanStore({ dir, resolveProjects, log: silentLog, ...options });
  t.after(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });
  return store;
}
