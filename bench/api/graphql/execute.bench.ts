/**
 * What do the most expensive queries of the interface cost on the main thread, compiled and interpreted, without the
 * store?
 */
import assert from 'node:assert/strict';
import { type DocumentNode, execute, parse, validate } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { Bench } from 'tinybench';
import type { Domain } from '../../../src/domain/domain.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { createContext, type GraphqlContext } from '../../../src/api/graphql/context.ts';
import { RequestLoad } from '../../../src/api/graphql/execution/request-load.ts';
import { RequestWork } from '../../../src/api/graphql/execution/request-work.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { openTestServer } from '../../../test/api/test-server.ts';
import type { TestSpan } from '../../../test/fixtures/span-columns.ts';
import { BENCH_TIME } from '../../bench-time.ts';
import { INTERFACE_QUERIES } from './interface-queries.ts';

const BIG_TRACE_SPAN_COUNT = process.env.SMOKE ? 20 : 2_000;
const TRACE_COUNT = process.env.SMOKE ? 5 : 400;
const HOUR_NS = 3_600_000_000_000n;
const NOW = BigInt(Date.now()) * 1_000_000n;
const BIG_TRACE_ID = 'b'.repeat(32);

const closers: (() => Promise<void>)[] = [];
const server = await openTestServer({ after: (close) => void closers.push(close) });
await server.append(...spansOfTrace(BIG_TRACE_ID, BIG_TRACE_SPAN_COUNT, 0));
for (let index = 1; index <= TRACE_COUNT; index++) {
  await server.append(...spansOfTrace(index.toString(16).padStart(32, '0'), 5, index));
}
await server.domain.annotations.annotateLater({
  target: 'span',
  source: 'API',
  annotations: [...spansOfTrace(BIG_TRACE_ID, BIG_TRACE_SPAN_COUNT, 0), ...newestSpans()].map(({ spanId }) => ({
    targetId: spanId,
    documentPosition: null,
    name: 'quality',
    identifier: '',
    annotatorKind: 'LLM',
    label: 'good',
    score: 1,
    explanation: null,
    metadata: '{}',
  })),
});
await server.settled();

const domain: Domain = { ...server.domain, spans: remembered(server.domain.spans) };
const load = new RequestLoad();
const context = (): GraphqlContext =>
  createContext({
    domain,
    isReadOnly: false,
    storageLock: () => undefined,
    storage: { capacityBytes: undefined, tableSizes: async () => [], spanStoreBytes: async () => 0 },
    signOut: () => {},
    work: new RequestWork(load, new AbortController().signal, false),
  });
const time = (at: bigint) => new Date(Number(at / 1_000_000n)).toISOString();
const week = { start: time(NOW - 168n * HOUR_NS), end: time(NOW + HOUR_NS) };
const project = await server.domain.projects.find({ name: 'app' });
assert(project);
const rawVariables = { id: toGlobalId('Project', project.rowId), timeRange: week, traceId: BIG_TRACE_ID };

const schema = createSchema();
const bench = new Bench({
  name: 'execute',
  ...BENCH_TIME,
});
for (const [name, text] of Object.entries(INTERFACE_QUERIES)) {
  const document: DocumentNode = parse(text);
  const options = { useExperimentalPathBasedSkipInclude: true };
  const compiled = compileQuery(schema, document, undefined, options);
  assert(isCompiledQuery(compiled));
  const interpret = () => execute({ schema, document, contextValue: context(), variableValues: rawVariables });
  const run = () => compiled.query({}, context(), rawVariables);
  // Both read the store once before the measurement, and must return the same response.
  const [expected, found] = [await interpret(), await run()];
  assert.equal(expected.errors, undefined, expected.errors?.[0]?.message);
  assert.equal(toText(found), toText(expected));
  bench
    .add(`${name}: parse and validate`, () => void validate(schema, parse(text)))
    .add(`${name}: compile`, () => void compileQuery(schema, document, undefined, options))
    .add(`${name}: graphql-js`, async () => void (await interpret()))
    .add(`${name}: graphql-jit`, async () => void (await run()));
}
await bench.run();
console.table(bench.table());
console.log(`a table of 100 spans, a trace of ${BIG_TRACE_SPAN_COUNT} spans, both with annotations`);
for (const close of closers) await close();

function toText(result: unknown): string {
  return JSON.stringify(result, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
}

function spansOfTrace(traceId: string, count: number, hoursAgo: number): TestSpan[] {
  const start = NOW - (BigInt(hoursAgo) * HOUR_NS * 160n) / BigInt(TRACE_COUNT);
  return Array.from({ length: count }, (_, index) => ({
    traceId,
    spanId: (hoursAgo * 10_000 + index + 1).toString(16).padStart(16, '0'),
    parentSpanId: index === 0 ? null : (hoursAgo * 10_000 + 1).toString(16).padStart(16, '0'),
    project: 'app',
    name: index % 2 === 0 ? 'agent' : 'search',
    spanKind: index % 2 === 0 ? 'CHAIN' : 'TOOL',
    start: start + BigInt(index),
    end: start + BigInt(index) + 1_000_000n,
    sessionId: `session ${hoursAgo % 100}`,
    userId: 'somebody',
    input: 'What is the weather?',
    output: 'Sunny.',
    metadata: { build: index },
    tokens: [100, 50],
  }));
}

function newestSpans(): TestSpan[] {
  return Array.from({ length: Math.min(20, TRACE_COUNT) }, (_, index) =>
    spansOfTrace((index + 1).toString(16).padStart(32, '0'), 5, index + 1),
  ).flat();
}

/**
 * A reader that reads the store once and then returns the same result, so that only the work after the store is
 * measured.
 */
function remembered(spans: Domain['spans']): Domain['spans'] {
  const answers = new Map<string, Promise<unknown>>();
  return new Proxy(spans, {
    get: (target, name: keyof Domain['spans']) => (query: unknown) => {
      const key = `${name} ${toText(query)}`;
      let answer = answers.get(key);
      if (!answer) {
        answer = (target[name] as (query: unknown, options: object) => Promise<unknown>).call(target, query, {});
        answers.set(key, answer);
      }
      return answer;
    },
  });
}
