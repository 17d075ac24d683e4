import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { openSpanStore } from '../../src/span-store/open-span-store.ts';
import type { SpanStoreOptions } from '../../src/span-store/thread/span-store-options.ts';
import { testSpanLists } from '../contracts/span-lists.contract.ts';
import { testSpanMetrics } from '../contracts/span-metrics.contract.ts';
import { type OpenSpanStore, testSpanSearch, testSpanStore } from '../contracts/span-store.contract.ts';
import { testSpanValues } from '../contracts/span-values.contract.ts';
import { TEST_FOLDER } from '../fixtures/test-folder.ts';
import { untilIndexed } from './until-indexed.ts';

/** Every row is read from the database, except in lists, whose newest rows are in memory. */
const open: OpenSpanStore = (resolveProjects) => openWith({ recentSpanBytes: 0 }, resolveProjects);
const openWithRecent: OpenSpanStore = (resolveProjects) => openWith({}, resolveProjects);

/** Block filters are built after every append. */
const openIndexed: OpenSpanStore = async (resolveProjects) => {
  const store = await openWith({ blockRowCount: 3, recentSpanBytes: 0 }, resolveProjects);
  const append = store.append.bind(store);
  store.append = async (...args) => {
    const result = await append(...args);
    await untilIndexed(store);
    return result;
  };
  return store;
};

async function openWith(
  options: Pick<SpanStoreOptions, 'blockRowCount' | 'recentSpanBytes'>,
  resolveProjects: Parameters<OpenSpanStore>[0],
) {
  const dir = await mkdtemp(join(TEST_FOLDER, 'span-store-'));
  const store = await openSpanStore({ dir, resolveProjects, log: silentLog, ...options });
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    await rm(dir, { recursive: true, force: true });
  };
  return store;
}

testSpanStore('DuckDB', open);
testSpanLists('DuckDB', openWithRecent);
testSpanMetrics('DuckDB', open);
testSpanSearch('DuckDB with the newest spans in memory', openWithRecent);
testSpanSearch('DuckDB in blocks of 3 spans', openIndexed);
testSpanLists('DuckDB in blocks of 3 spans', openIndexed);
testSpanValues('DuckDB', open);
testSpanValues('DuckDB in blocks of 3 spans', openIndexed);
