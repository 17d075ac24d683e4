/** What does a heavy query cost on the main thread, compiled and interpreted, its rows being in memory already? */
import { type DocumentNode, execute, parse, validate } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { Bench } from 'tinybench';
import type { SpanRow, SpanSummary } from '../../../src/model/span.ts';
import type { Trace } from '../../../src/model/trace.ts';
import type { SpanId, TraceId } from '../../../src/model/trace-ids.ts';
import type { Domain } from '../../../src/domain/domain.ts';
import { createContext, type GraphqlContext } from '../../../src/api/graphql/context.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';

const ROW_COUNT = process.env.SMOKE ? 20 : 1_000;

const span = (i: number): SpanRow => ({
  rowId: i,
  traceRowId: Math.ceil(i / 10),
  projectId: 1,
  traceId: 'a'.repeat(32) as TraceId,
  spanId: String(i).padStart(16, '0') as SpanId,
  parentSpanId: null,
  name: 'chat',
  spanKind: 'LLM',
  statusCode: 'OK',
  statusMessage: '',
  startTimeUnixNano: 1_714_564_800_250_000_000n + BigInt(i),
  endTimeUnixNano: 1_714_564_801_000_000_000n + BigInt(i),
  tokensPrompt: 100,
  tokensCompletion: 50,
  input: { head: 'What is the weather?', mimeType: null },
  output: { head: 'Sunny.', mimeType: null },
});
const spans = Array.from({ length: ROW_COUNT }, (_, i) => span(i + 1));
const summary = (row: SpanRow): SpanSummary => ({
  ...row,
  tokensPrompt: 100,
  tokensCompletion: 50,
  cumulativeErrorCount: 0,
  cumulativeTokensPrompt: 100,
  cumulativeTokensCompletion: 50,
});
const traces: Trace[] = Array.from({ length: Math.ceil(ROW_COUNT / 10) }, (_, i) => ({
  rowId: i + 1,
  traceId: 'a'.repeat(32) as TraceId,
  projectId: 1,
  sessionRowId: null,
  startTimeUnixNano: 1n,
  endTimeUnixNano: 2n,
  spanCount: 10,
  errorCount: 0,
  tokensPrompt: 1_000,
  tokensCompletion: 500,
}));

const domain = {
  projects: {},
  spans: {
    listSpans: async () => ({ items: spans.map((row) => ({ span: row, at: { rowId: row.rowId } })) }),
    findSpansOfTraces: async (rowIds: readonly number[]) => {
      const wanted = new Set(rowIds);
      const own = spans.filter(({ traceRowId }) => wanted.has(traceRowId)).map((row) => [row.traceRowId, row] as const);
      const found = new Map<number, SpanSummary[]>(rowIds.map((rowId) => [rowId, []]));
      for (const [traceRowId, row] of own) found.get(traceRowId)!.push(summary(row));
      return found;
    },
    findTracesByRowIds: async () => new Map(traces.map((trace) => [trace.rowId, trace])),
  },
} as unknown as Domain;

const context = (): GraphqlContext =>
  createContext({
    domain,
    isReadOnly: false,
    storageLock: () => undefined,
    storage: { capacityBytes: undefined, tableSizes: async () => [] },
    signal: new AbortController().signal,
  });

const QUERIES = {
  'a list of spans': `{node(id: "UHJvamVjdDox") {... on Project {spans(first: ${ROW_COUNT}) {pageInfo {hasNextPage endCursor}
    edges {cursor node {id name spanKind statusCode startTime latencyMs parentId tokenCountTotal spanId
      input {truncatedValue} output {truncatedValue} context {traceId spanId}}}}}}}`,
  'spans with their traces and descendants': `{node(id: "UHJvamVjdDox") {... on Project {spans(first: ${ROW_COUNT}) {
    edges {node {id name cumulativeTokenCountTotal propagatedStatusCode numChildSpans
      trace {id numSpans latencyMs errorCount spanCountsByKind {spanKind count} rootSpan {id name}}}}}}}}`,
};

const schema = createSchema();
const bench = new Bench({ name: 'execute', time: process.env.SMOKE ? 1 : 1_000 });
for (const [name, text] of Object.entries(QUERIES)) {
  const document: DocumentNode = parse(text);
  const options = { useExperimentalPathBasedSkipInclude: true };
  const compiled = compileQuery(schema, document, undefined, options);
  if (!isCompiledQuery(compiled)) throw new Error(JSON.stringify(compiled.errors));
  const check = (result: { errors?: readonly unknown[] | undefined }) => {
    if (result.errors) throw new Error(JSON.stringify(result.errors));
  };
  bench
    .add(`${name}: parse and validate`, () => void validate(schema, parse(text)))
    .add(`${name}: compile`, () => void compileQuery(schema, document, undefined, options))
    .add(`${name}: graphql-js`, async () => check(await execute({ schema, document, contextValue: context() })))
    .add(`${name}: graphql-jit`, async () => check(await compiled.query({}, context(), {})));
}
await bench.run();
console.table(bench.table());
console.log(`${ROW_COUNT} spans`);
