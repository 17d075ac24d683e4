/**
 * What does the domain add to a call of a model? The endpoint runs in a process of its own and answers at once. `first text`: from the
 * request to the first event, beside a plain HTTP client. `result`: until the span can be read. Then calls a second, each recorded.
 */
import type { ChatInput } from '../../src/domain/playground/stream-chat.ts';
import { openTestServer } from '../../test/api/test-server.ts';
import { startEndpointProcess } from '../../test/vendor-endpoint/endpoint-process.ts';
import { isSmoke, LatencyRecorder, ms, printTable, size } from '../whole-server/measure.ts';

const CALL_COUNT = size('CALLS', { smoke: 3, full: 300 });
const WARM_UP_COUNT = isSmoke ? 1 : 50;
const RUN_COUNT = size('RUNS', { smoke: 10, full: 3_000 });
const CONCURRENCY = size('CONCURRENCY', { smoke: 2, full: 50 });

const closing: (() => Promise<void>)[] = [];
try {
  const endpoint = await startEndpointProcess();
  closing.push(() => endpoint.close());
  const variables = { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: `${endpoint.url}/v1` };
  const { domain } = await openTestServer({ after: (work) => closing.push(work) }, { variables });

  const toInput = (text: string): ChatInput => ({
    task: {
      prompt: {
        ...{ modelProvider: 'OPENAI', modelName: 'gpt-4o', tools: null, responseFormat: null },
        template: { type: 'chat', messages: [{ role: 'user', content: text }] },
        templateFormat: 'MUSTACHE',
        invocationParameters: { type: 'openai', openai: {} },
      },
      ...{ promptVersionRowId: null, promptName: null, connection: null, headers: null, isStreamed: true },
    },
    ...{ variables: { name: 'x' }, repetitions: 1, credentials: {} },
  });
  const { signal } = new AbortController();
  const chat = async (text: string) => {
    const startedAt = performance.now();
    let firstMs = Number.NaN;
    for await (const event of domain.playground.streamChat(toInput(text), signal)) {
      if (event.type === 'error') throw new Error(event.message);
      if (Number.isNaN(firstMs)) firstMs = performance.now() - startedAt;
    }
    return { firstMs, resultMs: performance.now() - startedAt };
  };
  const plain = async (text: string) => {
    const startedAt = performance.now();
    const response = await fetch(`${endpoint.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: text }] }),
    });
    let firstMs = Number.NaN;
    for await (const _ of response.body ?? []) if (Number.isNaN(firstMs)) firstMs = performance.now() - startedAt;
    return firstMs;
  };

  const TEXT = 'Hello {{name}}. [[words 5]]';
  for (let call = 0; call < WARM_UP_COUNT; call++) await chat(TEXT);
  const [first, result, client] = [new LatencyRecorder(), new LatencyRecorder(), new LatencyRecorder()];
  for (let call = 0; call < CALL_COUNT; call++) {
    const { firstMs, resultMs } = await chat(TEXT);
    first.add(firstMs);
    result.add(resultMs);
    client.add(await plain(TEXT));
  }
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let left = RUN_COUNT;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left-- > 0) await chat(TEXT);
    }),
  );
  const { user, system } = process.cpuUsage(cpuBefore);
  const perSecond = Math.round(RUN_COUNT / ((performance.now() - startedAt) / 1_000));

  const row = (what: string, recorder: LatencyRecorder) => {
    const { p50, p99 } = recorder.summary();
    return { what, p50: `${ms(p50)} ms`, p99: `${ms(p99)} ms` };
  };
  printTable('What does the domain add to a call of a model?', [
    row('first text, plain HTTP client', client),
    row('first text, chat completion', first),
    row('result with a span that can be read', result),
  ]);
  const cpuMs = ms((user + system) / 1_000 / RUN_COUNT);
  console.log(`${perSecond} recorded calls a second, ${CONCURRENCY} at a time, ${cpuMs} ms of a core each`);
} finally {
  for (const close of closing.reverse()) await close();
}
