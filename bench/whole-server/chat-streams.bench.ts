/**
 * How much later does a reader of a subscription receive a chunk than one who calls the vendor himself, alone and with many
 * streams, and how long is the event loop held? The endpoint stamps each chunk with the time of its sending.
 */
import { startEndpointProcess } from '../../test/vendor-endpoint/endpoint-process.ts';
import { withServer } from './bench-server.ts';
import { takeLoopDelayMs } from './loop-delay.ts';
import { count, isSmoke, LatencyRecorder, ms, printTable, size } from './measure.ts';

const STREAM_COUNT = size('STREAMS', { smoke: 2, full: 100 });
const CHUNK_COUNT = size('CHUNKS', { smoke: 5, full: 1_000 });
const CHUNKS_PER_SECOND = isSmoke ? 1_000 : 100;
const PROMPT = `[[stamps ${CHUNK_COUNT}]] [[rate ${CHUNKS_PER_SECOND}]]`;

const MESSAGES = [{ role: 'user', content: PROMPT }];

const endpoint = await startEndpointProcess();
try {
  await withServer(async (server) => {
    const direct = () => read(`${endpoint.url}/v1/chat/completions`, { model: 'm', stream: true, messages: MESSAGES });
    const over = (accept: string) => () => read(`${server.url}/graphql`, subscription(), accept);
    // Loads the package of the vendor, and compiles the operation.
    await read(`${server.url}/graphql`, subscription('[[say warm]]'), 'text/event-stream');
    const rows: Record<string, string>[] = [];
    const forms = [
      ['the endpoint itself', direct],
      ['multipart', over('multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json')],
      ['server-sent events', over('text/event-stream')],
    ] as const;
    // Code that has not been compiled yet would delay the form that is measured first.
    for (const [, run] of isSmoke ? [] : forms) await Promise.all(Array.from({ length: STREAM_COUNT }, () => run()));
    for (const streamCount of [1, STREAM_COUNT]) {
      for (const [what, run] of forms) {
        await takeLoopDelayMs(server);
        const recorder = new LatencyRecorder();
        const first = new LatencyRecorder();
        const runs = Array.from({ length: streamCount }, () => run());
        for (const delays of await Promise.all(runs)) {
          first.add(delays[0] ?? Number.NaN);
          for (const delay of delays) recorder.add(delay);
        }
        const { count: chunkCount, p50, p99, max } = recorder.summary();
        rows.push({
          streams: String(streamCount),
          'read from': what,
          chunks: count(chunkCount),
          'first p50 ms': ms(first.summary().p50),
          'p50 ms': ms(p50),
          'p99 ms': ms(p99),
          'max ms': ms(max),
          'event loop held ms': ms(await takeLoopDelayMs(server)),
        });
      }
    }
    printTable(`Delay of chunks from their sending; ${CHUNKS_PER_SECOND} chunks/s per stream`, rows);
  });
} finally {
  await endpoint.close();
}

function subscription(text = PROMPT): object {
  const query = `subscription ($input: ChatCompletionInput!) {
    chatCompletion(input: $input) {
      __typename
      repetitionNumber
      ... on TextChunk { content }
      ... on ChatCompletionSubscriptionError { message }
      ... on ChatCompletionSubscriptionResult { span { id } }
    }
  }`;
  const input = {
    promptVersion: {
      templateFormat: 'NONE',
      template: { messages: [{ role: 'USER', content: [{ text: { text } }] }] },
      invocationParameters: { openai: {} },
      modelProvider: 'OPENAI',
      modelName: 'm',
    },
    connectionConfig: { baseUrl: `${endpoint.url}/v1` },
    repetitions: 1,
  };
  return { query, variables: { input } };
}

/** Milliseconds from the sending of each chunk to its arrival, by the stamps in the text. */
async function read(url: string, body: object, accept = 'text/event-stream'): Promise<number[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, authorization: 'Bearer any' },
    body: JSON.stringify(body),
  });
  if (!response.ok || !response.body) throw new Error(await response.text());
  const delays: number[] = [];
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const now = performance.timeOrigin + performance.now();
    rest += text;
    if (rest.includes('"message"')) throw new Error(rest);
    const stamps = [...rest.matchAll(/(\d{16}) /g)];
    for (const [, stamp] of stamps) delays.push(now - Number(stamp) / 1_000);
    const last = stamps.at(-1);
    if (last) rest = rest.slice(last.index + last[0].length);
  }
  return delays;
}
