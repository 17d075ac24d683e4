/** What does it cost to parse a filter, compared with the milliseconds of its query? */
import { Bench } from 'tinybench';
import { FILTER_CHARS_MAX } from '../../src/model/limits/reads.ts';
import { matchesSpan } from '../../src/filter/spans/evaluate-span-filter.ts';
import { parseSpanFilter } from '../../src/filter/spans/parse-span-filter.ts';
import { randomFrom, randomSpan } from '../../test/filter/random-filters.ts';

const isSmoke = process.env.SMOKE !== undefined;
const ids = Array.from({ length: isSmoke ? 3 : 1_000 }, (_, i) => `'${i.toString(16).padStart(32, '0')}'`);

const FILTERS: Readonly<Record<string, string>> = {
  'one comparison': "status_code == 'ERROR'",
  typical: "span_kind in ['LLM', 'TOOL'] and latency_ms > 5000 and 'refund' in input.value",
  annotations: "annotations['quality'].score >= 0.5 or evals['Hallucination'].label == 'factual'",
  arithmetic: '(llm.token_count.prompt + llm.token_count.completion) * 2 / latency_ms > 0.5',
  refused: "latency_ms > '100'",
  [`${ids.length} trace ids`]: `trace_id in [${ids.join(', ')}]`,
  'nested too deeply': '('.repeat(FILTER_CHARS_MAX),
};

let check = 0;
const bench = new Bench({ time: isSmoke ? 1 : 1_000, warmupTime: isSmoke ? 1 : 200 });
for (const [name, text] of Object.entries(FILTERS)) {
  bench.add(`parse: ${name}`, () => {
    try {
      check += parseSpanFilter(text)?.annotations.length ?? 0;
    } catch {
      check++;
    }
  });
}
const spans = Array.from({ length: 1_000 }, (_, seed) => randomSpan(randomFrom(seed)));
const typical = parseSpanFilter(FILTERS.typical!)!;
let spanCount = 0;
bench.add('evaluate: typical, one span', () => {
  check += Number(matchesSpan(typical, spans[spanCount++ % spans.length]!));
});
await bench.run();

for (const { name, result } of bench.tasks) {
  if (result.state !== 'completed') throw new Error(`${name} is ${result.state}`);
  console.log(`${name.padEnd(32)} ${(result.latency.p50 * 1000).toFixed(1).padStart(10)} µs`);
}
console.log(`check ${check}`);
