/**
 * What does a comparison of experiments cost over HTTP: its summary, and a window of rows after a change of the sort or
 * filter? `first` is with nothing in memory. Each run has a trace with tokens and a cost. `EXAMPLES` and `COMPARED` set
 * another size.
 */
import { openTestServer } from '../../test/api/test-server.ts';
import { isSmoke, ms, printTable, size } from '../whole-server/measure.ts';
import { fillComparison } from './fill-comparison.ts';

const SIZES = isSmoke
  ? ([[20, 2]] as const)
  : process.env.EXAMPLES === undefined
    ? ([
        [10_000, 4],
        [100_000, 8],
      ] as const)
    : ([[size('EXAMPLES', { smoke: 20, full: 1_000 }), size('COMPARED', { smoke: 2, full: 4 })]] as const);
const ROUND_COUNT = isSmoke ? 1 : 9;

const SUMMARY = `query ($input: ExperimentComparisonInput!) { experimentComparison(input: $input) {
  exampleCount commonExampleCount metadataKeys notices experiments { id name }
  measures { ...measure } splits { name measures { ...measure } } metadataGroups { name measures { ...measure } }
  preferences { sentence } } }
  fragment measure on ComparisonMeasure { key name values { count mean low high
    difference { count mean low high method wins losses ties verdict countNeeded sentence } } }`;
const ROWS = `query ($input: ExperimentComparisonRowsInput!) { experimentComparisonRows(input: $input) { totalCount rows {
  exampleId position input { text } reference { text } splits preferences { preferredRunId } cells { experimentId runs {
    id output { text isJson } toolCalls error latencyMs totalTokens totalCost traceId projectId
    scores { name score label difference } } } } } }`;

const closing: (() => Promise<void>)[] = [];
try {
  for (const [exampleCount, experimentCount] of SIZES) await bench(exampleCount, experimentCount);
} finally {
  for (const close of closing.reverse()) await close();
}

async function bench(exampleCount: number, experimentCount: number): Promise<void> {
  const server = await openTestServer({ after: (work) => closing.push(work) });
  const { experimentIds } = await fillComparison(server, exampleCount, experimentCount);
  const ask = (query: string, input: object) => server.ask(query, { input: { experimentIds, ...input } });
  const cases: Readonly<Record<string, () => Promise<unknown>>> = {
    summary: () => ask(SUMMARY, {}),
    'summary by a key of metadata': () => ask(SUMMARY, { metadataKey: 'topic' }),
    'rows in order': () => ask(ROWS, {}),
    'rows by the largest regression': () => ask(ROWS, { sort: { by: 'score:accuracy' } }),
    'rows by latency, in the middle': () => ask(ROWS, { sort: { by: 'latencyMs' }, offset: exampleCount >> 1 }),
    'rows by cost': () => ask(ROWS, { sort: { by: 'totalCost' } }),
    'regressed rows': () => ask(ROWS, { filter: { regressedOn: 'score:accuracy' }, sort: { by: 'score:accuracy' } }),
    'rows with a text': () => ask(ROWS, { filter: { text: 'question 99' } }),
    'rows with a condition': () => ask(ROWS, { filter: { condition: 'experiments[1].evals["accuracy"].score < 0.2' } }),
  };
  const rows: Record<string, string>[] = [];
  for (const [read, run] of Object.entries(cases)) {
    const times: number[] = [];
    const cpu = process.cpuUsage();
    for (let round = 0; round <= ROUND_COUNT; round++) {
      const startedAt = performance.now();
      await run();
      times.push(performance.now() - startedAt);
    }
    const { user, system } = process.cpuUsage(cpu);
    const [first = Number.NaN, ...others] = times;
    const sorted = others.sort((a, b) => a - b);
    rows.push({
      read,
      first: `${ms(first)} ms`,
      p50: `${ms(sorted[sorted.length >> 1] ?? Number.NaN)} ms`,
      'CPU without Postgres': `${ms((user + system) / 1_000 / times.length)} ms`,
      max: `${ms(sorted.at(-1) ?? Number.NaN)} ms`,
    });
  }
  printTable(`Comparison of ${experimentCount} experiments of ${exampleCount} examples`, rows);
}
