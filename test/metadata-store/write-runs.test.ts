import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { datasetRepository } from '../../src/metadata-store/datasets/dataset-repository.ts';
import {
  type ExperimentRepository,
  experimentRepository,
} from '../../src/metadata-store/experiments/experiment-repository.ts';
import { cleanUpAfter, openTestPostgres, openTestStore } from './fixtures.ts';

const EXAMPLE_COUNT = 50;

describe('concurrently written runs', () => {
  /** Of two servers on one database. */
  let servers: readonly ExperimentRepository[];
  let experimentRowId: number;
  let exampleRowIds: readonly number[];
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const postgres = await openTestPostgres(cleanUp);
    const { db } = await openTestStore(cleanUp, { url: await postgres.newDatabase() });
    const datasets = datasetRepository(db);
    servers = [experimentRepository(db), experimentRepository(db)];
    const datasetRowId = await datasets.create({ name: 'dataset', description: null, metadata: '{}', userId: null });
    const examples = Array.from({ length: EXAMPLE_COUNT }, (_, n) => ({
      id: String(n),
      input: '{}',
      output: '{}',
      metadata: '{}',
      hash: Buffer.alloc(16, n),
      spanRowId: null,
      splits: [],
    }));
    await datasets.addExamples(datasetRowId, examples, { userId: null });
    const versionRowId = (await datasets.findVersion(datasetRowId))!.rowId;
    const found = await datasets.findExampleIds({ datasetRowId, versionRowId, afterRowId: 0, limit: 1_000 });
    exampleRowIds = found.map(({ rowId }) => rowId);
    const made = await servers[0]!.create({
      datasetRowId,
      datasetVersionRowId: versionRowId,
      name: 'experiment',
      description: null,
      repetitions: 3,
      metadata: '{}',
      projectName: 'project',
      projectDescription: '',
      splitRowIds: [],
      userId: null,
    });
    experimentRowId = made!.rowId;
  });

  const toRun = (exampleRowId: number, repetitionNumber: number, more: object = {}) => ({
    exampleRowId,
    repetitionNumber,
    output: '"x"',
    startMicros: 1_700_000_000_000_001n,
    endMicros: 253_402_300_799_999_999n,
    traceId: null,
    error: null,
    ...more,
  });
  const listAll = async () => (await servers[0]!.listRuns({ experimentRowId, limit: 1_000 })).items;

  test('store the first run of an example and repetition, and the others receive its row id', async () => {
    const writes = await Promise.all(
      exampleRowIds.flatMap((exampleRowId, n) =>
        servers.flatMap((server) => [
          server.writeRun(experimentRowId, toRun(exampleRowId, 1)),
          server.writeRun(experimentRowId, toRun(exampleRowId, 1, { error: n % 2 === 0 ? 'late failure' : null })),
        ]),
      ),
    );

    const states = writes.map(({ state }) => state);
    assert.equal(states.filter((state) => state === 'complete').length >= EXAMPLE_COUNT, true);
    const stored = await listAll();
    assert.equal(stored.length, EXAMPLE_COUNT);
    for (const run of stored) {
      assert.equal(run.error, null);
      assert.equal(run.startMicros, 1_700_000_000_000_001n);
      assert.equal(run.endMicros, 253_402_300_799_999_999n);
      const ids = writes.flatMap((write) =>
        write.state !== 'absent' && write.rowId === run.rowId ? [write.state] : [],
      );
      assert.equal(ids.includes('written'), true);
      assert.equal(ids.length, 4);
    }
  });

  test('do not affect each other if one has no example, no experiment or no readable output', async () => {
    const [server] = servers as [ExperimentRepository];
    const [first, second] = exampleRowIds as [number, number];

    const results = await Promise.allSettled([
      server.writeRun(experimentRowId, toRun(first, 2)),
      server.writeRun(experimentRowId, toRun(999_999_999, 2)),
      server.writeRun(999_999_999, toRun(first, 2)),
      server.writeRun(experimentRowId, toRun(first, 3, { output: '{"not":json' })),
      server.writeRun(experimentRowId, toRun(second, 2)),
    ]);

    assert.deepEqual(
      results.map((result) =>
        result.status === 'rejected' ? 'rejected' : 'what' in result.value ? result.value.what : result.value.state,
      ),
      ['written', 'example', 'experiment', 'rejected', 'written'],
    );
  });

  test('have evaluations that replace each other by run and name', async () => {
    const [run] = await listAll();
    const toEvaluation = (n: number) => ({
      name: `evaluation ${n % 3}`,
      annotatorKind: 'CODE' as const,
      label: null,
      score: n,
      explanation: 'lone \uD800 and \0',
      traceId: null,
      error: null,
      metadata: '{}',
      startMicros: 0n,
      endMicros: 0n,
    });

    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, n) => servers[0]!.writeEvaluation(run!.rowId, toEvaluation(n))),
    );

    const stored = (await servers[0]!.evaluationsOfRuns([run!.rowId])).get(run!.rowId)!;
    assert.deepEqual(stored.map(({ name, score }) => [name, score]).toSorted(), [
      ['evaluation 0', 27],
      ['evaluation 1', 28],
      ['evaluation 2', 29],
    ]);
    assert.equal(new Set(ids).size, 3);
    assert.equal(stored[0]!.explanation, 'lone \uFFFD and \uFFFD');
    assert.equal(await servers[0]!.writeEvaluation(999_999_999, toEvaluation(0)), undefined);
  });
});
