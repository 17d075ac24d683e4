import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Random, randomFrom } from '../filter/random-filters.ts';
import type { UnpackedPackages } from './unpacked-packages.ts';

/** The store of the package. Its sources are not compiled with the tests, because they import another package. */
interface Batch {
  payload: Uint8Array | undefined;
  byteCount: number;
  spanCount: number;
  createdAtMs: number;
  location: object | undefined;
  isSaved: boolean;
}
interface Store {
  readonly path: string;
  readonly isWorking: boolean;
  readonly excessBytes: number;
  save(batches: readonly Batch[]): Promise<void>;
  saveNow(batches: readonly Batch[], options: { readonly syncs: boolean }): void;
  load(batch: Batch): Promise<Uint8Array | undefined>;
  merge(first: Batch, second: Batch): boolean;
  release(batch: Batch): void;
  takeOver(): Promise<{ readonly batches: Batch[]; readonly damagedFileCount: number }>;
  close(): void;
}
interface StoreOptions {
  readonly folder: string;
  readonly bytesMax: number;
  readonly ageMsMax: number;
}
type OpenStore = (url: string, options: StoreOptions, warn: (message: string) => void) => Store | undefined;

const ROUNDS = Number(process.env.ROUNDS ?? 6);
const SEED = Number(process.env.SEED ?? 1);
const STEP_COUNT = 150;
const FILE_BYTES = 64 * 1024;
const DEAD_PID = 999_999_999;

/** A batch, and the payloads that it must have: several after a merge. */
interface Expected {
  readonly batch: Batch;
  payloads: string[];
}

const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('latin1');
const newBatch = (random: Random, bytesMax: number): Expected => {
  const payload = Buffer.from(Array.from({ length: 1 + random.below(bytesMax) }, () => random.below(256)));
  const batch = {
    payload,
    byteCount: payload.length,
    spanCount: 1,
    createdAtMs: 1,
    location: undefined,
    isSaved: false,
  };
  return { batch, payloads: [text(payload)] };
};

/** Makes the own folder of a store that of a process that has ended. */
async function crash(store: Store): Promise<string> {
  const [name] = await readdir(store.path);
  const folder = join(store.path, `${name}-dead-${Math.random()}`);
  await rename(join(store.path, name!), folder);
  const owner = join(folder, 'owner.json');
  await writeFile(owner, JSON.stringify({ ...JSON.parse(await readFile(owner, 'utf8')), pid: DEAD_PID }));
  return folder;
}

async function spanFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.spans')).map((name) => join(folder, name));
}

/** A small file system. Undefined when this user may not mount one. */
async function mountSmallDisk(t: TestContext, size: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'spill-disk-'));
  let isMounted = false;
  t.after(async () => {
    if (isMounted) execFileSync('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  isMounted = true;
  return folder;
}

/** Tests of the spill folder of the tracing package. */
export function testSpill(world: () => UnpackedPackages): void {
  describe('the spill folder', () => {
    const openStore = async (folder: string, bytesMax: number, warn: (message: string) => void): Promise<Store> => {
      const path = join(world().folder, 'node_modules/@spandrel/tracing/dist/export/spill-store.js');
      const { SpillStore } = (await import(pathToFileURL(path).href)) as { SpillStore: { open: OpenStore } };
      const store = SpillStore.open('http://127.0.0.1:1', { folder, bytesMax, ageMsMax: 1e12 }, warn);
      assert.ok(store);
      return store;
    };

    test('agrees with a plain list after random writes, merges, releases, crashes and torn files', async (t) => {
      for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
        const random = randomFrom(seed);
        const folder = await mkdtemp(join(tmpdir(), 'spill-random-'));
        t.after(() => rm(folder, { recursive: true, force: true }));
        const unexpected = (message: string) => assert.fail(`seed ${seed}: ${message}`);
        let store = await openStore(folder, FILE_BYTES, unexpected);
        let waiting: Expected[] = [];
        let hasTorn = false;
        const everSaved = new Set<string>();
        const steps: (() => void | Promise<void>)[] = [
          async () => {
            const added = Array.from({ length: 1 + random.below(4) }, () => newBatch(random, 2_000));
            const batches = added.map(({ batch }) => batch);
            if (random.below(2) === 0) await store.save(batches);
            else store.saveNow(batches, { syncs: random.below(2) === 0 });
            for (const { batch, payloads } of added) {
              assert.ok(batch.isSaved);
              for (const payload of payloads) everSaved.add(payload);
              if (random.below(2) === 0) batch.payload = undefined;
            }
            waiting.push(...added);
          },
          async () => {
            const one = waiting[random.below(waiting.length)];
            if (one) assert.equal(text(await store.load(one.batch)), one.payloads.join(''), `seed ${seed}`);
          },
          () => {
            const at = random.below(waiting.length);
            const [first, second] = waiting.slice(at, at + 2);
            if (!first || !second || !store.merge(first.batch, second.batch)) return;
            first.payloads = [...first.payloads, ...second.payloads];
            waiting.splice(at + 1, 1);
          },
          () => {
            for (let count = random.below(6); count > 0; count--) {
              const [gone] = waiting.splice(random.below(waiting.length), 1);
              if (gone) store.release(gone.batch);
            }
          },
          async () => {
            if (waiting.length === 0 || random.below(4) > 0) return;
            const dead = await crash(store);
            const isTorn = random.below(2) === 0;
            const [file] = await spanFiles(dead);
            if (isTorn && file) await appendFile(file, Buffer.from([50, 0, 0, 0, 1, 0, 0, 0, 9, 9]));
            store = await openStore(folder, FILE_BYTES, unexpected);
            const { batches, damagedFileCount } = await store.takeOver();
            hasTorn ||= isTorn && file !== undefined;
            // A torn file that was taken over stays torn until its batches are released.
            assert.ok(hasTorn ? damagedFileCount >= (isTorn && file ? 1 : 0) : damagedFileCount === 0, `seed ${seed}`);
            const found = await Promise.all(batches.map(async (batch) => text(await store.load(batch))));
            const lost = waiting.flatMap(({ payloads }) => payloads).filter((payload) => !found.includes(payload));
            assert.deepEqual([lost.length, found.filter((payload) => !everSaved.has(payload)).length], [0, 0]);
            waiting = batches.map((batch, index) => ({ batch, payloads: [found[index]!] }));
          },
        ];
        for (let step = 0; step < STEP_COUNT; step++) {
          await steps[random.below(steps.length)]!();
          const sizes = await Promise.all((await spanFiles(folder)).map(async (path) => (await stat(path)).size));
          const byteCount = sizes.reduce((sum, size) => sum + size, 0);
          assert.equal(store.excessBytes + FILE_BYTES, byteCount, `seed ${seed}, step ${step}`);
        }
        for (const { batch } of waiting) store.release(batch);
        store.close();
        assert.deepEqual(await readdir(folder, { recursive: true }).then((names) => names.length), 1, `seed ${seed}`);
      }
    });

    test('keeps what it has acknowledged while the disk is full, and saves the rest later', async (t) => {
      const disk = await mountSmallDisk(t, '128k');
      if (!disk) return t.skip('mounting a small disk needs root');
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
      for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
        const random = randomFrom(seed);
        const warnings: string[] = [];
        // What another process needs to say that it lives.
        const reserve = join(disk, 'reserve');
        await writeFile(reserve, Buffer.alloc(16_384));
        const store = await openStore(join(disk, String(seed)), 1e9, (message) => warnings.push(message));
        let waiting: Expected[] = [];
        const save = async (batches: Batch[]) => {
          if (random.below(2) === 0) await store.save(batches);
          else store.saveNow(batches, { syncs: true });
        };
        const agree = async () => {
          for (const { batch, payloads } of waiting) {
            if (batch.isSaved) assert.equal(text(await store.load(batch)), payloads.join(''), `seed ${seed}`);
            else assert.equal(text(batch.payload), payloads.join(''), `seed ${seed}`);
          }
        };
        while (store.isWorking) {
          waiting.push(...Array.from({ length: 1 + random.below(4) }, () => newBatch(random, 9_000)));
          await save(waiting.map(({ batch }) => batch));
        }
        await agree();
        assert.equal(warnings.length, 1, `seed ${seed}`);
        assert.match(warnings[0]!, /cannot be kept in .*ENOSPC|took \d+ of \d+ bytes/);
        // What does not fit in memory is dropped; then there is space, and the pause is over.
        waiting = waiting.filter(({ batch }) => {
          const isGone = random.below(3) > 0;
          if (isGone) store.release(batch);
          return !isGone;
        });
        t.mock.timers.tick(31_000);
        const unsaved = () => waiting.filter(({ batch }) => !batch.isSaved);
        for (let tries = 0; unsaved().length > 0 && tries < 50; tries++) {
          const [first] = waiting.filter(({ batch }) => batch.isSaved);
          if (tries > 0 && first) {
            store.release(first.batch);
            waiting.splice(waiting.indexOf(first), 1);
            t.mock.timers.tick(31_000);
          }
          await save(unsaved().map(({ batch }) => batch));
        }
        assert.deepEqual(unsaved(), [], `seed ${seed}`);
        await agree();
        assert.equal(warnings.length, 1, `seed ${seed}`);

        store.close();
        await rm(reserve);
        const next = await openStore(join(disk, String(seed)), 1e9, (message) => assert.fail(message));
        const { batches } = await next.takeOver();
        const found = await Promise.all(batches.map(async (batch) => text(await next.load(batch))));
        const lost = waiting.flatMap(({ payloads }) => payloads).filter((payload) => !found.includes(payload));
        assert.equal(lost.length, 0, `seed ${seed}: ${lost.length} batches`);
        for (const batch of batches) next.release(batch);
        next.close();
        await rm(join(disk, String(seed)), { recursive: true, force: true });
      }
      return undefined;
    });
  });
}
