import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { silentLog } from '../../src/base/log.ts';
import { SpanColumnsBuilder } from '../../src/columns/span-columns-builder.ts';
import type { DecodedBatch, DecodeTask } from '../../src/ingest/decode/decode-batch.ts';
import { Projector, type ProjectorOptions } from '../../src/ingest/projector.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { MemoryWriter } from './memory-writer.ts';

/** A journal of records of one span each, a position apart; a record named `-` is a deletion, `?` holds nothing. */
class FakeJournal {
  readonly names: string[] = [];
  readonly tasks: Omit<DecodeTask, 'journalDir'>[] = [];
  beforeDecode: (task: Omit<DecodeTask, 'journalDir'>) => void = () => {};

  readonly decode = async (task: Omit<DecodeTask, 'journalDir'>): Promise<DecodedBatch> => {
    this.tasks.push(task);
    await new Promise((resolve) => setImmediate(resolve));
    this.beforeDecode(task);
    const { fromPosition, toPosition, rowCountMax } = task;
    const names = this.names.slice(fromPosition, Math.min(toPosition, fromPosition + rowCountMax));
    const special = names.findIndex((name) => name === '-' || name === '?');
    if (special === 0) {
      const content = { '-': { kind: 'deletion', deletion: { what: 'spans', rowIds: [1] } }, '?': { kind: 'nothing' } };
      return { endPosition: fromPosition + 1, content: content[names[0] as '-' | '?'] as never, problems: [] };
    }
    const batch = special < 0 ? names : names.slice(0, special);
    const builder = new SpanColumnsBuilder();
    for (const [index, name] of batch.entries()) {
      builder.beginRow();
      builder.spanId[2 * builder.rowCount] = fromPosition + index;
      builder.name.appendString(name);
      builder.endRow();
    }
    return {
      endPosition: fromPosition + batch.length,
      content: { kind: 'rows', columns: builder.finish(), annotations: [] },
      problems: [],
    };
  };
}

async function openProjector(
  t: TestContext,
  journal: FakeJournal,
  writer: MemoryWriter,
  options: Partial<ProjectorOptions> = {},
): Promise<Projector> {
  const projector = new Projector(
    {
      writer,
      decode: journal.decode,
      durablePosition: () => journal.names.length,
      onApplied: () => {},
      onProblem: () => {},
      log: silentLog,
      retryMs: { min: 1, max: 4 },
      ...options,
    },
    await writer.appliedPosition(),
  );
  t.after(() => projector.stop());
  return projector;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `span ${index}`);

describe('the projector', () => {
  test('applies the records of the journal at the start, then new ones', async (t) => {
    const journal = new FakeJournal();
    const writer = new MemoryWriter();
    journal.names.push('a', 'b');
    const projector = await openProjector(t, journal, writer);

    await projector.applied(2);
    journal.names.push('c');
    projector.notify();
    await projector.applied(3);

    assert.deepEqual(writer.names, ['a', 'b', 'c']);
  });

  test('applies deletions and records without spans in their order', async (t) => {
    const journal = new FakeJournal();
    const writer = new MemoryWriter();
    const calls: string[] = [];
    writer.onCall = (call, moment) => {
      if (moment === 'before') calls.push(call);
    };
    journal.names.push('a', 'b', '-', 'c', '?');
    const projector = await openProjector(t, journal, writer);

    await projector.applied(5);

    assert.deepEqual(calls, ['append', 'delete', 'append', 'advance']);
    assert.deepEqual(writer.deletions, [{ what: 'spans', rowIds: [1] }]);
  });

  test('collects records during a commit into one batch', async (t) => {
    const journal = new FakeJournal();
    const writer = new MemoryWriter();
    let finish = () => {};
    const begun = new Promise<void>((resolve) => {
      writer.onCall = (_, moment) => {
        if (moment !== 'before' || writer.batches.length > 0) return undefined;
        resolve();
        return new Promise<void>((resolveCall) => {
          finish = resolveCall;
        });
      };
    });
    journal.names.push('first');
    const projector = await openProjector(t, journal, writer);
    await begun;
    for (const name of numbered(100)) {
      journal.names.push(name);
      projector.notify();
    }
    finish();

    await projector.applied(101);

    assert.deepEqual(writer.batches, [1, 100]);
  });

  test('keeps a batch within its row limit', async (t) => {
    const journal = new FakeJournal();
    const writer = new MemoryWriter();
    journal.names.push(...numbered(25));
    const projector = await openProjector(t, journal, writer, { rowCountMax: 10 });

    await projector.applied(25);

    assert.deepEqual(writer.batches, [10, 10, 5]);
  });

  test('stores every span once and in order with a store that fails, restarts and responds late (random)', async (t) => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
    t.diagnostic(`SEED=${seed}`);
    const random = new SeededRandom(seed);
    const journal = new FakeJournal();
    const writer = new MemoryWriter();
    writer.onCall = () => {
      if (random.chance(0.15)) throw new Error('the store failed');
      if (random.chance(0.03)) {
        writer.crash();
        throw new Error('the store fell back to its checkpoint');
      }
      if (random.chance(0.1)) writer.checkpoint();
    };
    journal.beforeDecode = () => {
      if (random.chance(0.05)) throw new Error('the file could not be opened');
    };
    let projector = await openProjector(t, journal, writer, { rowCountMax: 7 });

    for (const name of numbered(400)) {
      journal.names.push(random.chance(0.05) ? '?' : name);
      projector.notify();
      if (random.chance(0.1)) await new Promise((resolve) => setImmediate(resolve));
      if (random.chance(0.01) && writer.isIdle) writer.crash();
      if (random.chance(0.01)) {
        await projector.stop();
        projector = await openProjector(t, journal, writer, { rowCountMax: 7 });
      }
    }
    writer.onCall = () => {};
    // After the last failure the store may have gone back, so that "applied" is true only of the store itself.
    while ((await writer.appliedPosition()) < journal.names.length) await projector.applied(journal.names.length);

    assert.deepEqual(
      writer.names,
      journal.names.filter((name) => name !== '?'),
    );
  });

  test('fills the gap after an idle store returned to an earlier position', async (t) => {
    const journal = new FakeJournal();
    const writer = new MemoryWriter();
    journal.names.push('a', 'b');
    const projector = await openProjector(t, journal, writer);
    await projector.applied(2);

    writer.crash();
    journal.names.push('c');
    projector.notify();
    await projector.applied(3);

    assert.deepEqual(writer.names, ['a', 'b', 'c']);
  });

  test('decodes record by record after a failed batch, and quarantines the record that kills the thread', async (t) => {
    const journal = new FakeJournal();
    const writer = new MemoryWriter();
    journal.names.push('a', 'poison', 'c');
    journal.beforeDecode = ({ fromPosition, rowCountMax, giveUpFirst }) => {
      const isIn = fromPosition <= 1 && fromPosition + rowCountMax > 1;
      if (!isIn) return;
      if (giveUpFirst !== undefined && fromPosition === 1) journal.names[1] = '?';
      else throw Object.assign(new Error('out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    };
    const projector = await openProjector(t, journal, writer);

    await projector.applied(3);

    assert.deepEqual(writer.names, ['a', 'c']);
  });

  test('rejects a wait for a position that it will no longer apply', async (t) => {
    const journal = new FakeJournal();
    const projector = await openProjector(t, journal, new MemoryWriter());
    const waiting = assert.rejects(projector.applied(1), { code: 'SHUTTING_DOWN' });
    await projector.stop();

    await waiting;
    await assert.rejects(projector.applied(1), { code: 'SHUTTING_DOWN' });
    await projector.applied(0);
  });
});
