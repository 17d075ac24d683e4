import assert from 'node:assert/strict';
import type { Ports } from '../../../src/domain/ports.ts';

export interface TestRun {
  /** Place of the example. */
  readonly example: number;
  readonly repetition?: number;
  readonly ms: number;
  readonly error?: string;
  readonly traceId?: string;
  readonly score?: number;
  readonly label?: string;
}

export type ExperimentFixtures = ReturnType<typeof experimentFixtures>;

/** Makes datasets and experiments in few words. */
export function experimentFixtures({ datasets, experiments }: Pick<Ports, 'datasets' | 'experiments'>) {
  let count = 0;
  /** A dataset of so many examples, with their row ids. */
  const createDataset = async (exampleCount: number, metadataOf: (n: number) => object = () => ({})) => {
    const rowId = await datasets.create({
      name: `dataset-${++count}`,
      description: null,
      metadata: '{}',
      userId: null,
    });
    const examples = Array.from({ length: exampleCount }, (_, n) => ({
      id: null,
      input: `{"n":${n}}`,
      output: '{}',
      metadata: JSON.stringify(metadataOf(n)),
      hash: Buffer.alloc(16, n),
      spanRowId: null,
      splits: [],
    }));
    await datasets.addExamples(rowId, examples, { userId: null });
    const version = (await datasets.findVersion(rowId))!;
    const found = await datasets.findExampleIds({
      datasetRowId: rowId,
      versionRowId: version.rowId,
      afterRowId: 0,
      limit: 100,
    });
    return { rowId, versionRowId: version.rowId, exampleIds: found.map((example) => example.rowId) };
  };
  const createExperiment = async (
    dataset: Awaited<ReturnType<typeof createDataset>>,
    name: string,
    runs: readonly TestRun[] = [],
    repetitions = 1,
  ): Promise<number> => {
    const made = await experiments.create({
      datasetRowId: dataset.rowId,
      datasetVersionRowId: dataset.versionRowId,
      name,
      description: `about ${name}`,
      repetitions,
      metadata: '{}',
      projectName: `project-of-${name}-${++count}`,
      projectDescription: '',
      splitRowIds: [],
      userId: null,
    });
    for (const { example, repetition = 1, ms, error = null, traceId = null, score, label } of runs) {
      const run = await experiments.writeRun(made!.rowId, {
        exampleRowId: dataset.exampleIds[example]!,
        repetitionNumber: repetition,
        output: error === null ? `{"ms":${ms}}` : 'null',
        startMicros: 0n,
        endMicros: BigInt(ms) * 1_000n,
        traceId,
        error,
      });
      assert(run.state === 'written');
      if (score === undefined && label === undefined) continue;
      await experiments.writeEvaluation(run.rowId, {
        name: 'accuracy',
        annotatorKind: 'CODE',
        label: label ?? null,
        score: score ?? null,
        explanation: null,
        traceId: null,
        error: null,
        metadata: '{"by":"test"}',
        startMicros: 0n,
        endMicros: 1n,
      });
    }
    return made!.rowId;
  };
  return { createDataset, createExperiment };
}
