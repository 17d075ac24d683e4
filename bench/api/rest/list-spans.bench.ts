/**
 * What does it cost to serialize a page of 100 spans, in each of the two forms, and does it depend on the length of
 * their texts?
 */
import { Bench } from 'tinybench';
import type { Span } from '../../../src/model/spans/span.ts';
import type { SpanId, TraceId } from '../../../src/model/traces/trace-ids.ts';
import { toOtlpSpanText } from '../../../src/api/rest/spans/otlp-span-json.ts';
import { toSpanText } from '../../../src/api/rest/spans/span-json.ts';
import { BENCH_TIME } from '../../bench-time.ts';

const PAGE_ROW_COUNT = 100;
let printedChars = 0;

function page(textChars: number): Span[] {
  const attributes = {
    openinference: { span: { kind: 'LLM' } },
    llm: {
      model_name: 'm-1',
      provider: 'p',
      invocation_parameters: '{"temperature":0.2}',
      token_count: { prompt: 120, completion: 50, total: 170 },
      input_messages: [
        { message: { role: 'system', content: 'You are helpful.' } },
        { message: { role: 'user', content: 'What is the weather?' } },
      ],
      output_messages: [{ message: { role: 'assistant', content: 'It is fine.' } }],
    },
    session: { id: 's-1' },
    user: { id: 'u-1' },
  };
  const long = { input: { value: '"text" '.repeat(textChars / 7) }, output: { value: 'text '.repeat(textChars / 5) } };
  return Array.from({ length: PAGE_ROW_COUNT }, (_, i) => ({
    rowId: 1_000 - i,
    traceId: 'a'.repeat(32) as TraceId,
    spanId: String(i).padStart(16, '0') as SpanId,
    parentSpanId: null,
    name: 'chat',
    spanKind: 'LLM',
    statusCode: 'OK',
    statusMessage: '',
    startTimeUnixNano: 1_714_564_800_250_000_999n,
    endTimeUnixNano: 1_714_564_801_000_000_000n,
    attributeParts: [JSON.stringify(attributes), JSON.stringify(long)],
    events: null,
  }));
}

const bench = new Bench({
  name: 'print a page of spans',
  ...BENCH_TIME,
});
for (const textChars of [100, 1_000, 10_000]) {
  const spans = page(textChars);
  for (const print of [toSpanText, toOtlpSpanText]) {
    bench.add(`${print.name}, ${textChars} characters of input and output each`, () => {
      printedChars += Buffer.byteLength(spans.map(print).join(','));
    });
  }
}
await bench.run();
console.table(bench.table());
console.log(`printed ${printedChars} bytes`);
