/** How does bad input affect other clients: how long does it block the event loop, and how long do reads wait? */
import { setTimeout as delay } from 'node:timers/promises';
import { BAD_BODIES } from '../../test/e2e/bad-bodies.ts';
import { badRestBodies } from '../../test/e2e/bad-rest-bodies.ts';
import { KEPT_SPANS, REJECTED_SPANS, span } from '../../test/e2e/odd-spans.ts';
import { encodeTraceRequest, type OtlpSpan } from '../../test/e2e/otlp-request.ts';
import { openGrpcSender, openHttpSender, type SendResult } from '../../test/e2e/otlp-sender.ts';
import { measureProcessTree } from '../../test/e2e/process-tree.ts';
import { measureVisibleMs, withServer } from './bench-server.ts';
import { takeLoopDelayMs } from './loop-delay.ts';
import { count, isSmoke, LatencyRecorder, mib, ms, printTable, size } from './measure.ts';
import { watchReads } from './watch-reads.ts';

const REQUEST_COUNT = size('REQUESTS', { smoke: 1, full: 10 });
const OTHERS = 'others';
const PROJECT = 'odd spans';

interface Input {
  readonly what: string;
  readonly body: () => Uint8Array | Promise<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An unusual span among valid ones. */
const among = (odd: Partial<OtlpSpan>) => () =>
  encodeTraceRequest({ project: PROJECT, spans: [span(), span(odd), span()] });
const INPUTS: readonly Input[] = [
  { what: 'good spans', body: among({}) },
  ...BAD_BODIES,
  ...REJECTED_SPANS.map(({ what, bad }) => ({ what, body: among(bad) })),
  ...KEPT_SPANS.map(({ what, odd }) => ({ what, body: among(odd) })),
];
/** A smoke run sends some of each kind: the tests send them all. */
const chosen = <Item>(inputs: readonly Item[]): readonly Item[] =>
  isSmoke ? inputs.filter((_, index) => index % 20 === 0) : inputs;

const rows: Record<string, string>[] = [];
await withServer(async (server) => {
  const http = openHttpSender(server.url, 1);
  const grpc = openGrpcSender(server.grpcAddress);
  await measureVisibleMs(server, OTHERS);
  const measure = async (what: string, send: () => Promise<Pick<SendResult, 'status'>>) => {
    await takeLoopDelayMs(server);
    const others = watchReads(`${server.url}/v1/projects/${OTHERS}/spans?limit=100`, 5);
    const answers = new LatencyRecorder();
    let last: Pick<SendResult, 'status'> | undefined;
    for (let request = 0; request < REQUEST_COUNT; request++) {
      const startedAt = performance.now();
      last = await send();
      answers.add(performance.now() - startedAt);
    }
    // Accepted spans still reach the store after the acknowledgement.
    await measureVisibleMs(server, PROJECT);
    const { p50, max, failureCount } = await others.stop();
    if (failureCount > 0) throw new Error(`${failureCount} reads of others failed while: ${what}`);
    rows.push({
      input: what,
      answer: String(last?.status),
      'answered after ms': ms(answers.summary().p50),
      'event loop at most ms': ms(await takeLoopDelayMs(server)),
      "others' p50 ms": ms(p50),
      'at most ms': ms(max),
      PSS: mib(measureProcessTree(server.pid).pssBytes),
    });
  };
  for (const { what, body, headers } of chosen(INPUTS)) {
    // Made once, since a body of 50 MB takes its time: from the second request on its spans are repeated ones.
    const bytes = await body();
    await measure(what, () => http.send(bytes, headers));
    if (!headers) await measure(`${what}, over gRPC`, () => grpc.send(bytes));
    await delay(isSmoke ? 0 : 200);
  }
  for (const { what, path, body } of chosen(badRestBodies(isSmoke ? 0.01 : 1))) {
    const text = body();
    await measure(`REST: ${what}`, async () => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(server.url + path, { method: 'POST', headers, body: text });
      await response.arrayBuffer();
      return response;
    });
  }
  http.close();
  grpc.close();
});
printTable(`Bad input, ${count(REQUEST_COUNT)} requests of each, one after the other`, rows);
