import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  bleu,
  type CodeMetric,
  chrf,
  computePrecisionRecallFScore,
  contains,
  cosineSimilarity,
  createContainsEvaluator,
  createCostEvaluator,
  createEmbeddingSimilarityEvaluator,
  createExactMatchEvaluator,
  createFBetaEvaluator,
  createJsonDistanceEvaluator,
  createLatencyEvaluator,
  createLevenshteinEvaluator,
  createPrecisionEvaluator,
  createPrecisionRecallFScoreEvaluators,
  createRegexEvaluator,
  createTrajectoryMatchEvaluator,
  levenshteinDistance,
  listOverlap,
  matchTrajectory,
  numericDifference,
  rougeL,
  validJson,
} from '../../../clients/typescript/evals/src/metrics/code/index.ts';
import {
  createJsonSchemaEvaluator,
  findSchemaProblem,
} from '../../../clients/typescript/evals/src/metrics/json-schema/index.ts';
import { commonSubsequenceLength } from '../../../clients/typescript/evals/src/metrics/text/common-subsequence.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';
import { checkCases } from './shared-cases.ts';

const scoreOf = async (metric: CodeMetric, record: Record<string, unknown>) => (await metric.evaluate(record)).score;

describe('code metrics', () => {
  test('give the numbers of the shared cases', async () => {
    const count = await checkCases('metrics.json', {
      exactMatch: ({ output, expected, ...options }) =>
        scoreOf(createExactMatchEvaluator(options), { output, expected }),
      contains: ({ words, text, ...options }) => contains(text, words, options),
      matchesRegex: ({ pattern, output, ...options }) =>
        scoreOf(createRegexEvaluator({ pattern, ...options }), { output }),
      validJson: ({ output }) => validJson(output),
      jsonSchema: ({ output, schema }) => scoreOf(createJsonSchemaEvaluator({ schema }), { output }),
      jsonDistance: ({ expected, actual, ...options }) =>
        scoreOf(createJsonDistanceEvaluator(options), { expected, output: actual }),
      levenshtein: ({ expected, actual, ...options }) =>
        scoreOf(createLevenshteinEvaluator(options), { expected, output: actual }),
      numericDifference: ({ output, expected, relative }) =>
        numericDifference(output, expected, { isRelative: relative }),
      listOverlap: ({ output, expected }) => listOverlap(output, expected),
      bleu: ({ output, expected }) => bleu(output, expected),
      rougeL: ({ output, expected }) => rougeL(output, expected),
      chrf: ({ output, expected }) => chrf(output, expected),
      trajectoryMatch: ({ output, expected, mode }) => matchTrajectory(output, expected, { mode }),
      precisionRecallF: ({ output, expected, ...options }) =>
        computePrecisionRecallFScore({ output, expected }, options),
      embeddingSimilarity: ({ first, second }) => cosineSimilarity(first, second),
      latency: ({ latencyMs, ...options }) => createLatencyEvaluator(options).evaluate({ latencyMs }),
      cost: ({ cost, ...options }) => createCostEvaluator(options).evaluate({ cost }),
    });

    assert.ok(count > 150);
  });

  test('the distance of random texts is that of the plain table', () => {
    const random = new SeededRandom(1);
    const alphabets = ['ab', 'abcdefghijklmnop', 'aé中😀𝒳z'];
    const lengths = [0, 1, 5, 31, 32, 33, 64, 65, 100];
    for (let round = 0; round < 400; round++) {
      const alphabet = Array.from(random.pick(alphabets));
      const text = () => Array.from({ length: random.pick(lengths) }, () => random.pick(alphabet)).join('');
      const first = text();
      const second = random.chance(0.3) ? edit(first, random, alphabet) : text();

      assert.equal(levenshteinDistance(first, second), plainDistance([...first], [...second]), `${first} | ${second}`);
    }
  });

  test('the common subsequence of random words is that of the plain table', () => {
    const random = new SeededRandom(2);
    for (let round = 0; round < 300; round++) {
      const size = random.pick([2, 5, 30]);
      const words = () => Array.from({ length: random.pick([0, 1, 31, 32, 33, 70]) }, () => `w${random.below(size)}`);
      const [first, second] = [words(), words()];

      assert.equal(commonSubsequenceLength(first, second), plainCommon(first, second), JSON.stringify([first, second]));
    }
  });

  test('have the names, directions and metadata of the reference', async () => {
    const metrics = createPrecisionRecallFScoreEvaluators({ beta: 0.5, average: 'micro' });

    assert.deepEqual(
      metrics.map(({ name, kind, optimizationDirection }) => [name, kind, optimizationDirection]),
      [
        ['precision_micro', 'CODE', 'MAXIMIZE'],
        ['recall_micro', 'CODE', 'MAXIMIZE'],
        ['f0_5_micro', 'CODE', 'MAXIMIZE'],
      ],
    );
    assert.equal(createFBetaEvaluator({ beta: 2 }).name, 'f2');
    assert.equal(createLevenshteinEvaluator().optimizationDirection, 'MINIMIZE');
    const { metadata } = await createPrecisionEvaluator().evaluate({ expected: [0, 1], output: [1, 1] });
    assert.deepEqual(metadata, { beta: 1, average: 'macro', labels: [0, 1], positiveLabel: 1 });
  });

  test('stop a regular expression that would never end', async () => {
    const metric = createRegexEvaluator({ pattern: '^(a+)+$', timeoutMs: 50 });

    await assert.rejects(metric.evaluate({ output: `${'a'.repeat(40)}b` }), /took longer than 50 ms/);
  });

  test('name the field, the received type and the next step', async () => {
    const exact = createExactMatchEvaluator();

    await assert.rejects(
      exact.evaluate({ output: 'a', answer: 'b' }),
      /field expected is missing in the row.*output, answer.*input mapping/,
    );
    await assert.rejects(
      exact.evaluate({ output: ['a'], expected: 'b' }),
      /Expected a text as output, received a list/,
    );
    assert.throws(() => createFBetaEvaluator({ beta: 0 }), /positive number as beta, received 0/);
    assert.throws(() => createRegexEvaluator({ pattern: '(' }), /regular expression/);
    assert.throws(() => createContainsEvaluator({ words: 'x'.repeat(2_000) }), /at most 1000 characters/);
    assert.throws(() => levenshteinDistance('a'.repeat(60_000), 'b'), /differ within 50000 characters/);
    assert.throws(() => findSchemaProblem({ $ref: '#' }, 1), /refers to itself/);
    for (const [schema, message] of [
      [
        { properties: { a: { items: { foo: 1 } } } },
        /'foo' of JSON Schema is not supported \(in #\/properties\/a\/items\)/,
      ],
      [{ required: 'a' }, /#\/required of the JSON schema must be array/],
      [{ anyOf: [{ type: 'text' }] }, /#\/anyOf\/0\/type of the JSON schema must be equal to one of/],
      [{ minimum: '1' }, /#\/minimum of the JSON schema must be number/],
      [{ pattern: '(' }, /regular expression/],
      ['{}', /# of the JSON schema must be object,boolean/],
    ] as const)
      assert.throws(() => createJsonSchemaEvaluator({ schema }), message);
    await assert.rejects(createTrajectoryMatchEvaluator().evaluate({ output: [{}], expected: [] }), /name/);
  });

  test('compute the cost of a row by the price table, or by given prices', async () => {
    const row = { promptTokens: 1_000_000, completionTokens: 100_000 };

    assert.equal(await scoreOf(createCostEvaluator(), { ...row, model: 'gpt-5' }), 2.25);
    assert.equal(await scoreOf(createCostEvaluator({ price: { prompt: 2, completion: 10 } }), row), 3);
    assert.equal(await scoreOf(createCostEvaluator(), { model: 'gpt-5', inputTokens: 0, outputTokens: 0 }), 0);
    assert.equal(await scoreOf(createCostEvaluator(), { ...row, cost: 7 }), 7);
    await assert.rejects(createCostEvaluator().evaluate({ ...row, model: 'x' }), /price of the model "x" is unknown/);
    await assert.rejects(createCostEvaluator().evaluate({ model: 'gpt-5' }), /number from 0 as promptTokens/);
    await assert.rejects(createCostEvaluator().evaluate(row), /field cost is missing/);
  });

  test('read fields that are named like parts of objects', async () => {
    const own = JSON.parse('{"output": {"__proto__": 1}, "expected": {"__proto__": 2}}');

    assert.equal(await scoreOf(createJsonDistanceEvaluator(), own), 1);
    await assert.rejects(
      createExactMatchEvaluator({ inputMapping: { expected: 'constructor' } }).evaluate({ output: '' }),
    );
    assert.deepEqual(
      findSchemaProblem({ required: ['constructor'] }, {})?.problem,
      "must have required property 'constructor'",
    );
  });

  test('compare vectors of the given function, which gets both texts at once', async () => {
    const asked: (readonly string[])[] = [];
    const metric = createEmbeddingSimilarityEvaluator({
      embed(texts) {
        asked.push(texts);
        return texts.map((text) => [text.length, 0]);
      },
    });

    assert.equal(await scoreOf(metric, { output: 'ab', expected: 'abc' }), 1);
    assert.deepEqual(asked, [['ab', 'abc']]);
  });
});

function edit(text: string, random: SeededRandom, alphabet: readonly string[]): string {
  const characters = [...text];
  for (let count = random.below(6); count > 0; count--) {
    characters.splice(random.below(characters.length + 1), random.below(2), random.pick(alphabet));
  }
  return characters.join('');
}

function plainDistance(first: readonly string[], second: readonly string[]): number {
  let previous = second.map((_, index) => index + 1);
  previous.unshift(0);
  for (const [row, character] of first.entries()) {
    const current = [row + 1];
    for (const [column, other] of second.entries()) {
      const changed = previous[column]! + Number(character !== other);
      current.push(Math.min(changed, previous[column + 1]! + 1, current[column]! + 1));
    }
    previous = current;
  }
  return previous[second.length]!;
}

function plainCommon(first: readonly string[], second: readonly string[]): number {
  let previous = new Array<number>(second.length + 1).fill(0);
  for (const item of first) {
    const current = [0];
    for (const [column, other] of second.entries()) {
      current.push(item === other ? previous[column]! + 1 : Math.max(previous[column + 1]!, current[column]!));
    }
    previous = current;
  }
  return previous[second.length]!;
}
