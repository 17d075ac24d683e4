/** How many spans per second does the gRPC listener receive in requests of 500 spans, and what does each span cost? */
import { Registry } from 'prom-client';
import { silentLog } from '../../../src/base/log.ts';
import { openGrpcServer } from '../../../src/server/grpc/grpc-server.ts';
import { runLoad } from '../load-client.ts';

const RUN_MS = process.env.SMOKE ? 100 : 2_000;
const SPANS_PER_REQUEST = 500;
const PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const NOTHING = new Uint8Array(0);
let receivedBytes = 0;

for (const bodyBytes of [100_000, 350_000, 700_000]) {
  for (const senderCount of [1, 8]) {
    const server = await openGrpcServer({
      methods: [
        {
          path: PATH,
          access: 'open',
          async handle({ message }) {
            receivedBytes += message.byteLength;
            return NOTHING;
          },
        },
      ],
      host: '127.0.0.1',
      port: 0,
      log: silentLog,
      registry: new Registry(),
      limits: { drainMsMax: 100 },
    });
    const load = { kind: 'grpc', port: server.port, path: PATH, bodyBytes, senderCount, runMs: RUN_MS } as const;
    const { requestCount, ms, serverCpuMicros } = await runLoad(load);
    await server.close();
    const perSecond = (requestCount / ms) * 1000;
    const figures = [
      `${perSecond.toFixed(0).padStart(6)} requests/s`,
      `${((perSecond * bodyBytes) / 1e6).toFixed(0).padStart(5)} MB/s`,
      `${(perSecond * SPANS_PER_REQUEST).toFixed(0).padStart(8)} spans/s`,
      `${serverCpuMicros.toFixed(0).padStart(6)} µs CPU a request`,
      `${(serverCpuMicros / SPANS_PER_REQUEST).toFixed(2)} µs a span`,
    ];
    console.log(`${`${bodyBytes / 1000} KB, ${senderCount} senders`.padEnd(22)} ${figures.join('  ')}`);
  }
}
console.log(`received ${receivedBytes} bytes`);
