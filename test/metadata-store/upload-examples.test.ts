import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { ExactJsonObject } from '../../src/base/exact-json.ts';
import type { UploadAction } from '../../src/model/dataset.ts';
import type { Db } from '../../src/metadata-store/database/database.ts';
import { deleteDataset, findDataset, listDatasetVersions } from '../../src/metadata-store/datasets/datasets.ts';
import {
  compareVersions,
  listExamples,
  listSplitsOfExamples,
} from '../../src/metadata-store/datasets/examples-at-version.ts';
import { uploadExamples } from '../../src/metadata-store/datasets/upload-examples.ts';
import { type IncomingExample, toBatches } from '../../src/domain/datasets/incoming-example.ts';
import { rowIdOf, toGlobalId } from '../../src/api/contract/global-id.ts';
import { cleanUpAfter, openTestPostgres, openTestStore } from './fixtures.ts';

const exampleRowIdOf = (id: string): number | undefined => rowIdOf('DatasetExample', id);
const NO_SPANS = { findByIds: async () => [] };

interface Incoming {
  readonly n: number;
  readonly id?: string | null;
  readonly splits?: readonly string[];
}

const toIncoming = ({ n, id = null, splits = [] }: Incoming): IncomingExample => ({
  input: { n } as ExactJsonObject,
  output: {},
  metadata: {},
  id,
  splits,
  spanId: null,
});

describe('uploads of examples', () => {
  let db: Db;
  let lastName = 0;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const server = await openTestPostgres(cleanUp);
    db = (await openTestStore(cleanUp, { url: await server.newDatabase() })).db;
  });

  const newName = () => `dataset ${++lastName}`;
  const upload = (name: string, action: UploadAction, examples: readonly Incoming[], providesSplits = false) =>
    uploadExamples(db, {
      action,
      name,
      description: null,
      examples: toBatches([examples.map(toIncoming)], NO_SPANS, exampleRowIdOf),
      isPlain: examples.every(({ id, splits = [] }) => !id && splits.length === 0),
      providesSplits,
      userId: null,
    });
  const read = async (datasetRowId: number, versionRowId: number) => {
    const page = await listExamples(db, { datasetRowId, versionRowId, limit: 1_000 });
    return page.items.map(({ rowId, externalId, input }) => ({
      rowId,
      id: externalId,
      n: JSON.parse(input).n as number,
    }));
  };
  const numbersAt = async (datasetRowId: number, versionRowId: number) =>
    (await read(datasetRowId, versionRowId)).map(({ n }) => n);
  const counts = ({ createdCount, updatedCount, deletedCount }: Awaited<ReturnType<typeof upload>>) => [
    createdCount,
    updatedCount,
    deletedCount,
  ];

  test('the first upload creates the dataset and a version, including duplicate rows', async () => {
    const name = newName();

    const made = await upload(name, 'create', [{ n: 1 }, { n: 1 }, { n: 2 }]);

    assert.deepEqual(counts(made), [3, 0, 0]);
    assert.deepEqual(await numbersAt(made.datasetRowId, made.versionRowId), [1, 1, 2]);
    assert.equal((await findDataset(db, { name }))?.exampleCount, 3);
  });

  test('a name that is in use is rejected, and nothing changes', async () => {
    const name = newName();
    const { datasetRowId, versionRowId } = await upload(name, 'create', [{ n: 1 }]);

    await assert.rejects(upload(name, 'create', [{ n: 2 }]), { code: 'DATASET_NAME_TAKEN' });

    assert.deepEqual(await numbersAt(datasetRowId, versionRowId), [1]);
  });

  test('an append of stored examples adds nothing and creates no version', async () => {
    const name = newName();
    const first = await upload(name, 'create', [{ n: 1 }, { n: 1 }, { n: 2 }]);

    const same = await upload(name, 'append', [{ n: 1 }, { n: 2 }]);
    const more = await upload(name, 'append', [{ n: 1 }, { n: 1 }, { n: 1 }]);

    assert.deepEqual(counts(same), [0, 0, 0]);
    assert.equal(same.versionRowId, first.versionRowId);
    assert.deepEqual(counts(more), [1, 0, 0]);
    assert.deepEqual(await numbersAt(more.datasetRowId, more.versionRowId), [1, 1, 2, 1]);
  });

  test('an update removes missing examples, and earlier versions do not change', async () => {
    const name = newName();
    const one = await upload(name, 'create', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    const two = await upload(name, 'update', [{ n: 3 }, { n: 4 }]);
    const three = await upload(name, 'update', []);
    const four = await upload(name, 'update', [{ n: 5 }]);

    const versions = [one, two, three, four].map(({ versionRowId }) => numbersAt(one.datasetRowId, versionRowId));
    assert.deepEqual(await Promise.all(versions), [[1, 2, 3], [3, 4], [], [5]]);
    assert.deepEqual([two, three, four].map(counts), [
      [1, 0, 2],
      [0, 0, 2],
      [1, 0, 0],
    ]);
  });

  test('an external ID keeps an example through changes, and restores it after a removal', async () => {
    const name = newName();
    const one = await upload(name, 'create', [
      { n: 1, id: 'a' },
      { n: 2, id: 'b' },
    ]);
    const [a, b] = await read(one.datasetRowId, one.versionRowId);
    const two = await upload(name, 'update', [{ n: 7, id: 'a' }]);
    const three = await upload(name, 'append', [{ n: 8, id: 'b' }]);

    assert.deepEqual(counts(two), [0, 1, 1]);
    assert.deepEqual(counts(three), [1, 0, 0]);
    assert.deepEqual(await read(one.datasetRowId, two.versionRowId), [{ rowId: a?.rowId, id: 'a', n: 7 }]);
    assert.deepEqual(await read(one.datasetRowId, three.versionRowId), [
      { rowId: a?.rowId, id: 'a', n: 7 },
      { rowId: b?.rowId, id: 'b', n: 8 },
    ]);
  });

  test('a global ID identifies its example, and one of another dataset is rejected', async () => {
    const name = newName();
    const { datasetRowId, versionRowId } = await upload(name, 'create', [{ n: 1 }]);
    const other = await upload(newName(), 'create', [{ n: 1 }]);
    const id = async (one: { datasetRowId: number; versionRowId: number }) =>
      toGlobalId('DatasetExample', (await read(one.datasetRowId, one.versionRowId))[0]!.rowId);

    const patched = await upload(name, 'append', [{ n: 2, id: await id({ datasetRowId, versionRowId }) }]);
    const foreign = await id(other);

    assert.deepEqual(counts(patched), [0, 1, 0]);
    await assert.rejects(upload(name, 'append', [{ n: 3 }, { n: 2, id: foreign }]), {
      code: 'DATASET_EXAMPLES_UNKNOWN',
      message: `No examples found in this dataset with the following IDs: '${foreign}'`,
    });
    assert.deepEqual(await numbersAt(datasetRowId, patched.versionRowId), [2]);
  });

  test('a repeated ID is rejected', async () => {
    await assert.rejects(
      upload(newName(), 'create', [
        { n: 1, id: 'a' },
        { n: 2, id: 'a' },
      ]),
      {
        code: 'DATASET_UPLOAD_INVALID',
        message: "Duplicate example_id in request: 'a'",
      },
    );
  });

  for (const isPlain of [true, false]) {
    const how = isPlain ? 'at once' : 'through a temporary table';

    test(`a failure half-way changes nothing when examples are written ${how}`, async () => {
      const name = newName();
      const examples = (async function* () {
        yield* toBatches([[toIncoming({ n: 1 })]], NO_SPANS, exampleRowIdOf);
        throw new Error('the file ends here');
      })();

      const failing = uploadExamples(db, {
        action: 'create',
        name,
        description: null,
        examples,
        isPlain,
        providesSplits: true,
        userId: null,
      });

      await assert.rejects(failing, /the file ends here/);
      assert.equal(await findDataset(db, { name }), undefined);
    });

    test(`any content is stored as it is when examples are written ${how}`, async () => {
      const texts = ['a\tb\nc\rd', '\\', '\\.', '\\N', '"quoted"', '\0', 'ä€😀', '\ud800', ''];
      const batch = texts.map((text) => ({ ...toIncoming({ n: 1 }), input: { [text]: text } as ExactJsonObject }));

      const made = await uploadExamples(db, {
        action: 'create',
        name: newName(),
        description: null,
        examples: toBatches([batch], NO_SPANS, exampleRowIdOf),
        isPlain,
        providesSplits: false,
        userId: null,
      });

      const page = await listExamples(db, { ...made, limit: 100 });
      assert.deepEqual(
        page.items.map(({ input }) => JSON.parse(input)),
        texts.map((text) => ({ [text]: text })),
      );
    });
  }

  test('examples and their revisions are deleted with their dataset', async () => {
    const kept = await upload(newName(), 'create', [{ n: 1 }]);
    const { datasetRowId } = await upload(newName(), 'create', [{ n: 1 }, { n: 2, id: 'a' }]);
    const rowsOf = async (id: number) => {
      const { rows } = await sql<{ count: number }>`
        select (select count(*) from dataset_examples where dataset_id = ${id})
          + (select count(*) from dataset_example_revisions where dataset_id = ${id}) as count
      `.execute(db);
      return rows[0]?.count;
    };

    await deleteDataset(db, datasetRowId);

    assert.deepEqual([await rowsOf(datasetRowId), await rowsOf(kept.datasetRowId)], [0, 2]);
  });

  test('concurrent appends create versions one after the other, and lose nothing', async () => {
    const name = newName();
    const { datasetRowId } = await upload(name, 'create', []);

    const results = await Promise.all(Array.from({ length: 8 }, (_, n) => upload(name, 'append', [{ n }])));

    const versions = results.map(({ versionRowId }) => versionRowId).sort((a, b) => a - b);
    assert.equal(new Set(versions).size, 8);
    const sizes = await Promise.all(versions.map(async (version) => (await read(datasetRowId, version)).length));
    assert.deepEqual(sizes, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.equal((await listDatasetVersions(db, { datasetRowId, limit: 100 })).items.length, 9);
  });

  test('concurrent creations with one name create one dataset', async () => {
    const name = newName();

    const results = await Promise.allSettled([1, 2, 3].map((n) => upload(name, 'create', [{ n }])));

    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
  });

  test('splits are rebuilt by an update, and by an append for the examples it touches', async () => {
    const name = newName();
    const one = await upload(name, 'create', [{ n: 1, splits: ['s', 't'] }, { n: 2, splits: ['t'] }, { n: 3 }], true);
    const splits = async () => {
      const rows = await read(one.datasetRowId, one.versionRowId);
      const names = await listSplitsOfExamples(
        db,
        one.datasetRowId,
        rows.map(({ rowId }) => rowId),
      );
      return rows.map(({ rowId }) => (names.get(rowId) ?? []).join());
    };
    assert.deepEqual(await splits(), ['s,t', 't', '']);

    const appended = await upload(name, 'append', [{ n: 2, splits: ['s'] }], true);
    assert.deepEqual(
      [counts(appended), await splits()],
      [
        [0, 1, 0],
        ['s,t', 's', ''],
      ],
    );
    const silent = await upload(name, 'update', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    assert.deepEqual(
      [counts(silent), await splits()],
      [
        [0, 0, 0],
        ['s,t', 's', ''],
      ],
    );
    const updated = await upload(name, 'update', [{ n: 1, splits: ['s', 't'] }, { n: 2 }, { n: 3 }], true);
    assert.deepEqual(
      [counts(updated), await splits()],
      [
        [0, 1, 0],
        ['s,t', '', ''],
      ],
    );
    assert.equal(updated.versionRowId, one.versionRowId);
  });

  test('two versions are compared by the content of their examples', async () => {
    const name = newName();
    const one = await upload(name, 'create', [{ n: 1, id: 'a' }, { n: 2, id: 'b' }, { n: 3 }]);
    const two = await upload(name, 'update', [{ n: 9, id: 'a' }, { n: 3 }, { n: 4 }]);

    const { items } = await compareVersions(db, {
      datasetRowId: one.datasetRowId,
      baseRowId: one.versionRowId,
      versionRowId: two.versionRowId,
      limit: 10,
    });

    const n = (content: string | null) => (content === null ? null : JSON.parse(content).input.n);
    assert.deepEqual(
      items.map(({ externalId, before, after }) => [externalId, n(before), n(after)]),
      [
        ['a', 1, 9],
        ['b', 2, null],
        [null, null, 4],
      ],
    );
  });

  test('a dataset is deleted with all of its data, and its name is released', async () => {
    const name = newName();
    const { datasetRowId } = await upload(name, 'create', [{ n: 1, splits: ['s'] }], true);

    assert.deepEqual(await deleteDataset(db, datasetRowId), { projectRowIds: [] });
    assert.equal(await deleteDataset(db, datasetRowId), undefined);
    const again = await upload(name, 'create', [{ n: 1 }]);

    assert.ok(again.datasetRowId > datasetRowId);
  });

  test('any sequence of uploads gives the same examples as a plain model, at every version', async () => {
    const incoming = fc.record({ n: fc.nat(3), id: fc.option(fc.constantFrom('a', 'b', 'c')) });
    const batch = fc.uniqueArray(incoming, { maxLength: 6, comparator: (x, y) => x.id !== null && x.id === y.id });
    const action = fc.constantFrom<UploadAction>('append', 'update');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(action, batch), { minLength: 1, maxLength: 5 }), async (uploads) => {
        const name = newName();
        const model = new Model();
        const expected = new Map<number, unknown>();
        let datasetRowId = 0;
        for (const [each, examples] of uploads) {
          const result = await upload(name, each, examples);
          datasetRowId = result.datasetRowId;
          assert.deepEqual(counts(result), model.apply(each, examples));
          expected.set(result.versionRowId, model.contents());
        }
        for (const [version, contents] of expected) {
          const rows = await read(datasetRowId, version);
          assert.deepEqual(rows.map(({ id, n }) => `${id} ${n}`).sort(), contents);
        }
      }),
      { numRuns: 25 },
    );
  });
});

/** What a dataset holds, as the reference tells it; an id pairs before any content does. */
class Model {
  /** In the order of their rows; an example whose id was there before gets its row again. */
  #examples: { id: string | null; n: number; row: number }[] = [];
  readonly #rowsById = new Map<string, number>();
  #lastRow = 0;

  apply(action: UploadAction, incoming: readonly Incoming[]): number[] {
    const unpaired = new Set(this.#examples);
    let [created, updated, deleted] = [0, 0, 0];
    const pairs = new Map<Incoming, { id: string | null; n: number; row: number }>();
    for (const example of incoming.filter(({ id }) => id != null)) {
      const found = this.#examples.find(({ id }) => id === example.id);
      if (found) pairs.set(example, found);
      if (found) unpaired.delete(found);
    }
    for (const example of incoming) {
      const found = pairs.get(example) ?? [...unpaired].find(({ n }) => example.id == null && n === example.n);
      if (found) {
        unpaired.delete(found);
        if (found.n !== example.n) updated++;
        found.n = example.n;
      } else {
        created++;
        const id = example.id ?? null;
        const row = (id === null ? undefined : this.#rowsById.get(id)) ?? ++this.#lastRow;
        if (id !== null) this.#rowsById.set(id, row);
        this.#examples.push({ id, n: example.n, row });
      }
    }
    if (action === 'update') {
      deleted = unpaired.size;
      this.#examples = this.#examples.filter((example) => !unpaired.has(example));
    }
    this.#examples.sort((one, other) => one.row - other.row);
    return [created, updated, deleted];
  }

  contents(): string[] {
    return this.#examples.map(({ id, n }) => `${id} ${n}`).sort();
  }
}
