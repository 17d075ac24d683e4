import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { openSpanStore } from '../../src/span-store/duckdb-span-store.ts';
import { testSpanLists } from '../contracts/span-lists.contract.ts';
import { type OpenSpanStore, testSpanStore } from '../contracts/span-store.contract.ts';

const open: OpenSpanStore = async (resolveProjects) => {
  const dir = await mkdtemp(join(tmpdir(), 'span-store-'));
  const store = await openSpanStore({ dir, resolveProjects, log: silentLog });
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    await rm(dir, { recursive: true, force: true });
  };
  return store;
};

testSpanStore('DuckDB', open);
testSpanLists('DuckDB', open);
