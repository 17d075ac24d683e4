/** How many agent spans per second does one core check and decode, and how does that compare with protobufjs? */
import { Bench } from 'tinybench';
import { SpanColumnsBuilder } from '../../src/columns/span-columns-builder.ts';
import { checkOtlpRequest } from '../../src/otlp/check-request.ts';
import { decodeOtlpRequest } from '../../src/otlp/decode-request.ts';
import { decodeByOracle } from '../../test/fixtures/otlp-proto.ts';
import { AGENT_TRACE_SPAN_COUNT, agentRequest } from '../../test/fixtures/otlp-requests.ts';

const isSmoke = process.env.SMOKE !== undefined;
const TRACE_COUNT = isSmoke ? 2 : 100;
const REQUEST_COUNT = isSmoke ? 1 : 10;
const SPAN_COUNT = TRACE_COUNT * AGENT_TRACE_SPAN_COUNT;

const requests = Array.from({ length: REQUEST_COUNT }, (_, i) =>
  agentRequest({ seed: 42 + i, traceCount: TRACE_COUNT }),
);
let requestCount = 0;
const nextRequest = () => requests[requestCount++ % requests.length]!;
let check = 0;

const bench = new Bench({ time: isSmoke ? 1 : 2_000, warmupTime: isSmoke ? 1 : 1_000 });
bench.add('protobufjs', () => {
  check += decodeByOracle(nextRequest()).resourceSpans.length;
});
bench.add('check', () => {
  check += checkOtlpRequest(nextRequest(), 'protobuf').spanCount;
});
bench.add('decode into columns', () => {
  const builder = new SpanColumnsBuilder(SPAN_COUNT);
  decodeOtlpRequest(nextRequest(), 'protobuf', {}, builder);
  check += builder.finish().rowCount;
});
await bench.run();

console.log(`requests of ${SPAN_COUNT} spans, ${Math.round(requests[0]!.length / SPAN_COUNT)} bytes a span`);
// The median, since other work on the machine makes some calls much longer.
const spansPerSecond = (name: string): number => {
  const result = bench.getTask(name)!.result;
  if (result.state !== 'completed') throw new Error(`${name} is ${result.state}`);
  return (SPAN_COUNT / result.latency.p50) * 1000;
};
for (const { name } of bench.tasks) {
  const perSecond = spansPerSecond(name);
  const ratio = perSecond / spansPerSecond('protobufjs');
  console.log(
    `${name.padEnd(20)} ${Math.round(perSecond).toLocaleString('en').padStart(12)} spans/s  ${ratio.toFixed(1)} x protobufjs`,
  );
}
console.log(`check ${check}`);
