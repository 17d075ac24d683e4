import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { groupBy } from '../../src/base/group-by.ts';
import { SpandrelError } from '../../src/model/errors.ts';
import { SpanColumnsBuilder } from '../../src/columns/span-columns-builder.ts';
import { checkOtlpRequest } from '../../src/otlp/check-request.ts';
import { decodeOtlpRequest } from '../../src/otlp/decode-request.ts';
import { decodeByOracle, type OracleRequest } from '../fixtures/otlp-proto.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { isStorable, type ModelSpan, modelOf } from './plain-model.ts';
import { randomRequest } from './random-request.ts';
import { readRows, withInputAsJson } from './read-rows.ts';

const SEED = Number(process.env.SEED ?? 1);

describe('decoding random requests', () => {
  test('gives the same spans as a plain model on top of protobufjs', () => {
    for (let i = 0; i < 400; i++) {
      const body = randomRequest(new SeededRandom(SEED * 100_000 + i));
      withSeed(i, () => assertSameAsModel(body, decodeByOracle(body)));
    }
  });

  test('rejects a body with a flipped bit if protobufjs does, otherwise reads the same', () => {
    let refusedCount = 0;
    for (let i = 0; i < 900; i++) {
      const random = new SeededRandom(SEED * 100_000 + 50_000 + i);
      const body = randomRequest(random);
      if (body.length === 0) continue;
      for (let flips = 1 + random.below(3); flips > 0; flips--) {
        body[random.below(body.length)]! ^= 1 << random.below(8);
      }
      withSeed(i, () => {
        if (!assertSameVerdict(body)) refusedCount++;
      });
    }
    assert.ok(refusedCount > 100, `only ${refusedCount} were refused`);
  });

  test('rejects a body that ends at any byte if protobufjs does', () => {
    for (let i = 0; i < 3; i++) {
      const body = randomRequest(new SeededRandom(SEED + 7_000 + i)).subarray(0, 3_000);
      for (let length = 0; length < body.length; length++) {
        withSeed(i, () => assertSameVerdict(body.slice(0, length)));
      }
    }
  });
});

/** Whether both accept it. */
function assertSameVerdict(body: Uint8Array): boolean {
  let message: OracleRequest;
  try {
    message = decodeByOracle(body);
  } catch {
    assert.throws(() => checkOtlpRequest(body, 'protobuf'), isMalformed);
    assert.throws(() => decode(body), isMalformed);
    return false;
  }
  try {
    checkOtlpRequest(body, 'protobuf');
  } catch (error) {
    // The oracle skips unknown varints of any length.
    const { cause } = error as Error;
    assert.match(String(cause), /longer than ten bytes/);
    return false;
  }
  assertSameAsModel(body, message);
  return true;
}

function assertSameAsModel(body: Uint8Array, message: OracleRequest): void {
  const expected = modelOf(message);
  const spans = message.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const check = checkOtlpRequest(body, 'protobuf');
  assert.equal(check.spanCount, spans.length);
  assert.equal(check.rejectedSpanCount, spans.filter((span) => !isStorable(span)).length);

  const rows = decode(body);

  assertProjects(body, expected);
  assert.equal(rows.length, expected.length);
  for (const [i, row] of rows.entries()) {
    assert.deepStrictEqual(withInputAsJson(row, expected[i]!), expected[i]);
  }
}

/** Counts accepted spans by project, and leaves out those of one project. */
function assertProjects(body: Uint8Array, expected: readonly ModelSpan[]): void {
  const counts = groupBy(
    expected,
    ({ project }) => project,
    () => 1,
  );
  const { projects } = checkOtlpRequest(body, 'protobuf', { countsProjects: true });
  const counted = [...(projects ?? [])].filter(([, count]) => count > 0);
  assert.deepEqual(new Map(counted), new Map(Array.from(counts, ([project, { length }]) => [project, length])));
  const [excepted] = counts.keys();
  if (excepted === undefined) return;
  const builder = new SpanColumnsBuilder();
  decodeOtlpRequest(body, 'protobuf', { exceptProjects: [excepted] }, builder);
  assert.deepEqual(
    readRows(builder.finish()).map(({ spanId }) => spanId),
    expected.filter(({ project }) => project !== excepted).map(({ spanId }) => spanId),
  );
}

function decode(body: Uint8Array): ModelSpan[] {
  const builder = new SpanColumnsBuilder();
  decodeOtlpRequest(body, 'protobuf', {}, builder);
  return readRows(builder.finish());
}

const isMalformed = (error: unknown): boolean => error instanceof SpandrelError && error.code === 'OTLP_MALFORMED';

function withSeed(i: number, run: () => void): void {
  try {
    run();
  } catch (error) {
    throw new Error(`with SEED=${SEED}, case ${i}`, { cause: error });
  }
}
