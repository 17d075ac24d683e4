/**
 * How much later does a text of a model arrive because of us? The endpoint runs in a process of its own and stamps each chunk with the time of
 * its sending. Alone: calls one after another, beside the same calls with a plain HTTP client. Busy: 100 streams of 100 chunks a second, and
 * how long they hold the event loop.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ChatModels } from '../../src/llm/contract/chat-models.ts';
import type { ModelTarget } from '../../src/llm/contract/model-target.ts';
import { openChatModels } from '../../src/llm/open-chat-models.ts';
import { NO_PROXIES } from '../../src/llm/transport/proxy-settings.ts';
import { MODEL_TARGETS } from '../../test/llm/model-targets.ts';
import { startEndpointProcess } from '../../test/vendor-endpoint/endpoint-process.ts';
import { isSmoke, LatencyRecorder, ms, printTable, size } from '../whole-server/measure.ts';

const CALL_COUNT = size('CALLS', { smoke: 3, full: 400 });
const WARM_UP_COUNT = isSmoke ? 1 : 50;
const STREAM_COUNT = size('STREAMS', { smoke: 3, full: 100 });
const CHUNK_COUNT = isSmoke ? 5 : 600;
const CHUNKS_PER_SECOND = 100;

const endpoint = await startEndpointProcess();
const models = openChatModels({ proxies: NO_PROXIES, allowsPrivate: true });
const rows: Record<string, string>[] = [];
for (const [protocol, targetOf] of Object.entries(MODEL_TARGETS)) {
  const target = targetOf(endpoint.url, { key: 'key', modelName: 'test-model' });
  for (let call = 0; call < WARM_UP_COUNT; call++) await stream(models, target, '[[stamps 5]]');
  const alone = new LatencyRecorder();
  const plain = new LatencyRecorder();
  for (let call = 0; call < CALL_COUNT; call++) {
    alone.add((await stream(models, target, '[[stamps 5]]')).firstMs);
    if (protocol === 'openai-chat') plain.add(await plainCall(endpoint.url));
  }
  if (plain.count > 0) rows.push(row('plain HTTP client', 'alone', plain));
  rows.push(row(protocol, 'alone, to the first text', alone));

  // Bedrock's stream has checksums, so the endpoint cannot stamp it.
  if (protocol === 'bedrock-converse') continue;
  const delays = new LatencyRecorder();
  const firsts = new LatencyRecorder();
  const loop = monitorEventLoopDelay({ resolution: 5 });
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  loop.enable();
  await Promise.all(
    Array.from({ length: STREAM_COUNT }, async () => {
      const prompt = `[[stamps ${CHUNK_COUNT}]] [[rate ${CHUNKS_PER_SECOND}]]`;
      const { delaysMs } = await stream(models, target, prompt);
      for (const [index, delayMs] of delaysMs.entries()) (index === 0 ? firsts : delays).add(delayMs);
    }),
  );
  loop.disable();
  const { user, system } = process.cpuUsage(cpuBefore);
  const share = (user + system) / 1_000 / (performance.now() - startedAt);
  const held = { 'event loop held at most': `${ms(loop.max / 1e6)} ms`, 'of a core': `${Math.round(share * 100)} %` };
  rows.push(row(protocol, `${STREAM_COUNT} streams, first text behind its sending`, firsts));
  rows.push({ ...row(protocol, `${STREAM_COUNT} streams, each text behind its sending`, delays), ...held });
}
await models.close();
await endpoint.close();
const columns = { protocol: '', what: '', p50: '', p99: '', max: '', 'event loop held at most': '', 'of a core': '' };
printTable(
  'How much later does a text arrive because of us?',
  rows.map((one) => ({ ...columns, ...one })),
);

/** Time from the call to the first text, and the time of each text after its sending. */
async function stream({ open }: ChatModels, target: ModelTarget, text: string) {
  const startedAt = performance.now();
  const delaysMs: number[] = [];
  let firstMs = Number.NaN;
  await open(target).call(
    {
      messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
      ...{ tools: null, responseFormat: null, isStreamed: true },
      parameters: parametersOf(target),
    },
    {
      signal: new AbortController().signal,
      onPiece(piece) {
        if (Number.isNaN(firstMs)) firstMs = performance.now() - startedAt;
        if (piece.type === 'text')
          delaysMs.push(performance.timeOrigin + performance.now() - Number(piece.text) / 1_000);
      },
    },
  );
  return { firstMs, delaysMs };
}

function parametersOf({ connection: { type } }: ModelTarget) {
  if (type === 'anthropic') return { type, anthropic: { max_tokens: 1_000 } } as const;
  if (type === 'google_genai') return { type: 'google', google: {} } as const;
  return type === 'aws_bedrock' ? ({ type: 'aws', aws: {} } as const) : ({ type: 'openai', openai: {} } as const);
}

/** Time to the first bytes of the same response, read by the client of Node. */
async function plainCall(url: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'test-model', stream: true, messages: [{ role: 'user', content: '[[stamps 5]]' }] }),
  });
  let firstMs = Number.NaN;
  for await (const _ of response.body ?? []) if (Number.isNaN(firstMs)) firstMs = performance.now() - startedAt;
  return firstMs;
}

function row(protocol: string, what: string, recorder: LatencyRecorder): Record<string, string> {
  const { p50, p99, max } = recorder.summary();
  return { protocol, what, p50: `${ms(p50)} ms`, p99: `${ms(p99)} ms`, max: `${ms(max)} ms` };
}
