import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ExactJson, toExactJsonText } from '../../src/base/exact-json.ts';
import { parseExactJson } from '../../src/base/parse-exact-json.ts';
import { parseRunFilter } from '../../src/filter/runs/parse-run-filter.ts';
import { type ComparedExampleView, matchesExample, type RunView } from '../filter/evaluate-run-filter.ts';
import { type Random, randomFrom, TEXTS } from '../filter/random-filters.ts';
import { type DatasetRepository, datasetRepository } from '../../src/metadata-store/datasets/dataset-repository.ts';
import {
  type ExperimentRepository,
  experimentRepository,
} from '../../src/metadata-store/experiments/experiment-repository.ts';
import { cleanUpAfter, openTestPostgres, openTestStore } from './fixtures.ts';

const EXPERIMENT_COUNT = 3;
const EXAMPLE_COUNT = 40;
const NUMBERS = [0, 1, -1, 2.5, 100, 1e21, 0.1, 2 ** 53] as const;
const KEYS = ['a', 'b', '__proto__', "it's", '0'] as const;
const EVALUATIONS = ['accuracy', "it's"] as const;

const randomJson = (random: Random, depth: number): ExactJson => {
  if (depth > 0 && random.chance(0.4)) {
    const inner = Array.from({ length: random.below(4) }, () => randomJson(random, depth - 1));
    if (random.chance(0.5)) return inner;
    return Object.assign(Object.create(null), Object.fromEntries(inner.map((value) => [random.pick(KEYS), value])));
  }
  return random.pick([random.pick(TEXTS), random.pick(NUMBERS), true, false, null]);
};
/** JSON as it is stored: read back, so that keys and numbers are those of the text. */
const randomText = (random: Random, depth: number): string => toExactJsonText(randomJson(random, depth));
const randomObject = (random: Random): string => {
  const json: ExactJson = Object.create(null);
  for (const key of KEYS) if (random.chance(0.7)) (json as Record<string, ExactJson>)[key] = randomJson(random, 2);
  return toExactJsonText(json);
};
const readJson = (text: string): ExactJson => parseExactJson(text, { depthMax: 10 });

/** Filter texts, most of which are filters. */
class RandomFilter {
  readonly #random: Random;
  constructor(random: Random) {
    this.#random = random;
  }

  condition(depth: number): string {
    const random = this.#random;
    if (depth > 0 && random.chance(0.6)) {
      const inner = () => this.condition(depth - 1);
      return random.pick([
        () => `(${inner()} and ${inner()})`,
        () => `(${inner()} or ${inner()})`,
        () => `not ${inner()}`,
      ])();
    }
    switch (random.below(5)) {
      case 0:
        return `${this.#value()} ${random.pick(['is', 'is not', '==', '!='])} ${random.pick(['None', 'True', 'False'])}`;
      case 1:
        return `${random.chance(0.7) ? this.#text() : this.#json()} ${random.pick(['in', 'not in'])} ${random.pick([() => this.#json(), () => `${this.#run()}error`])()}`;
      default:
        return `${this.#value()} ${random.pick(['==', '!=', '<', '<=', '>', '>='])} ${random.chance(0.6) ? this.#literal() : this.#value()}`;
    }
  }

  #value(): string {
    const random = this.#random;
    return random.pick([
      () => this.#json(),
      () => this.#json(),
      () => `-${this.#json()}`,
      () => `${this.#run()}error`,
      () => `${this.#run()}latency_ms`,
      () => `${this.#run()}evals[${quote(random.pick(EVALUATIONS))}].${random.pick(['score', 'label', 'explanation'])}`,
    ])();
  }

  #run = (): string => (this.#random.chance(0.5) ? '' : `experiments[${this.#random.below(EXPERIMENT_COUNT)}].`);
  #text = (): string => quote(this.#random.pick(TEXTS));
  #literal = (): string => (this.#random.chance(0.5) ? this.#text() : String(this.#random.pick(NUMBERS)));

  #json(): string {
    const random = this.#random;
    const path = Array.from({ length: random.below(3) }, () =>
      random.chance(0.6) ? `[${quote(random.pick(KEYS))}]` : `[${random.pick([0, 1, -1, 5])}]`,
    ).join('');
    return random.chance(0.5)
      ? `${this.#run()}output${path}`
      : `${random.pick(['input', 'reference_output', 'metadata'])}[${quote(random.pick(KEYS))}]${path}`;
  }
}

const quote = (text: string): string => JSON.stringify(text).replaceAll('\\u2028', '\u2028');

describe('filters of runs in Postgres', () => {
  let datasets: DatasetRepository;
  let experiments: ExperimentRepository;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    const server = await openTestPostgres(cleanUp);
    const { db } = await openTestStore(cleanUp, { url: await server.newDatabase() });
    datasets = datasetRepository(db);
    experiments = experimentRepository(db);
  });

  interface Content {
    readonly input: string;
    readonly output: string;
    readonly metadata: string;
  }
  let count = 0;
  const createExamples = async (contents: readonly Content[]) => {
    const rowId = await datasets.create({
      name: `dataset ${++count}`,
      description: null,
      metadata: '{}',
      userId: null,
    });
    await datasets.addExamples(
      rowId,
      contents.map((content, n) => ({
        ...content,
        id: String(n),
        hash: Buffer.alloc(16, n),
        spanRowId: null,
        splits: [],
      })),
      { userId: null },
    );
    const versionRowId = (await datasets.findVersion(rowId))!.rowId;
    const found = await datasets.findExampleIds({ datasetRowId: rowId, versionRowId, afterRowId: 0, limit: 100 });
    const experimentRowIds: number[] = [];
    for (let n = 0; n < EXPERIMENT_COUNT; n++) {
      const made = await experiments.create({
        datasetRowId: rowId,
        datasetVersionRowId: versionRowId,
        name: `experiment ${n}`,
        description: null,
        repetitions: 3,
        metadata: '{}',
        projectName: `project ${++count}`,
        projectDescription: '',
        splitRowIds: [],
        userId: null,
      });
      experimentRowIds.push(made!.rowId);
    }
    return { exampleRowIds: found.map((example) => example.rowId), experimentRowIds };
  };
  const addRun = async (experimentRowId: number, exampleRowId: number, repetitionNumber: number, view: RunView) => {
    const run = await experiments.writeRun(experimentRowId, {
      exampleRowId,
      repetitionNumber,
      output: toExactJsonText(view.output),
      startMicros: 0n,
      endMicros: BigInt(Math.round(view.latencyMs * 1_000)),
      traceId: null,
      error: view.error,
    });
    assert(run.state === 'written');
    for (const evaluation of view.evaluations) {
      await experiments.writeEvaluation(run.rowId, {
        ...evaluation,
        annotatorKind: 'CODE',
        traceId: null,
        error: null,
        metadata: '{}',
        startMicros: 0n,
        endMicros: 0n,
      });
    }
  };
  const select = async (text: string, experimentRowIds: readonly number[]): Promise<number[]> => {
    const filter = parseRunFilter(text, experimentRowIds.length);
    const found = await experiments.findComparedExamples({ experimentRowIds, filter, afterRowId: 0, limit: 1_000 });
    return found.map(({ rowId }) => rowId);
  };

  test('select the same examples as the plain evaluator', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = randomFrom(seed);
    const contents = Array.from({ length: EXAMPLE_COUNT }, () => ({
      input: randomObject(random),
      output: randomObject(random),
      metadata: randomObject(random),
    }));
    const { exampleRowIds, experimentRowIds } = await createExamples(contents);
    const views: ComparedExampleView[] = [];
    for (const [n, { input, output, metadata }] of contents.entries()) {
      const runs: RunView[][] = [];
      for (const experimentRowId of experimentRowIds) {
        const list = Array.from(
          { length: random.below(4) },
          (): RunView => ({
            output: readJson(randomText(random, 2)),
            error: random.chance(0.3) ? random.pick(TEXTS) : null,
            latencyMs: random.pick([0, 1, 2.5, 100]),
            evaluations: EVALUATIONS.filter(() => random.chance(0.6)).map((name) => ({
              name,
              score: random.chance(0.7) ? random.pick(NUMBERS) : null,
              label: random.chance(0.7) ? random.pick(TEXTS) : null,
              explanation: random.chance(0.3) ? random.pick(TEXTS) : null,
            })),
          }),
        );
        for (const [index, view] of list.entries()) await addRun(experimentRowId, exampleRowIds[n]!, index + 1, view);
        runs.push(list);
      }
      views.push({ input: readJson(input), reference_output: readJson(output), metadata: readJson(metadata), runs });
    }

    const filters = new RandomFilter(random);
    let selected = 0;
    let checked = 0;
    for (let n = 0; n < 400; n++) {
      const text = filters.condition(3);
      let filter: ReturnType<typeof parseRunFilter>;
      try {
        filter = parseRunFilter(text, EXPERIMENT_COUNT);
      } catch {
        continue;
      }
      const expected = exampleRowIds.filter((_, index) => matchesExample(filter!, views[index]!));
      assert.deepEqual(await select(text, experimentRowIds), expected, `seed ${seed}: ${text}`);
      checked += 1;
      if (expected.length > 0 && expected.length < EXAMPLE_COUNT) selected += 1;
    }
    assert(checked > 200, `only ${checked} texts were filters`);
    assert(selected > 50, `only ${selected} filters told examples apart`);
  });

  test('search JSON that jsonb cannot represent', async () => {
    const { exampleRowIds, experimentRowIds } = await createExamples([
      { input: '{"a":"x\\u0000y","b":"kept"}', output: '{"n":1e999999}', metadata: '{"s":"\\\\u0000 \\ud800\\u0000"}' },
    ]);

    for (const [text, isSelected] of [
      ['input["b"] == "kept"', true],
      ['"x" in input["a"] and "y" in input["a"]', true],
      ['input["a"] == "x\uFFFDy"', true],
      ['metadata["s"] == "\\\\u0000 \uFFFD\uFFFD"', true],
      ['reference_output["n"] > 5', false],
      ['reference_output["n"] is None', true],
    ] as const) {
      assert.deepEqual(await select(text, experimentRowIds), isSelected ? exampleRowIds : [], text);
    }
  });

  test('pass everything that they name as a parameter', async () => {
    const { experimentRowIds } = await createExamples([{ input: '{"a":1}', output: '{}', metadata: '{}' }]);

    for (const text of [
      `input["a' or true --"] == 1`,
      `evals["x' or true --"].label == "' or true --"`,
      `"'); drop table datasets; --" in output`,
    ]) {
      assert.deepEqual(await select(text, experimentRowIds), [], text);
    }
  });
});
