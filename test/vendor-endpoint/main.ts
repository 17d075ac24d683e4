/**
 * Starts an endpoint from a shell, and from tests and benches that give it a process of its own:
 *
 *   node dist/test/vendor-endpoint/main.js --port 9000 --latency 500 --rate 100 --calls-per-second 20
 *
 * Prints its address as a line of JSON. A parent process that has a channel asks it for its statistics.
 */
import { parseArgs } from 'node:util';
import type { EndpointReply, EndpointRequest } from './endpoint-process.ts';
import { startVendorEndpoint, type VendorEndpointSettings } from './vendor-endpoint.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    latency: { type: 'string', default: '0' },
    rate: { type: 'string', default: '0' },
    'calls-per-second': { type: 'string' },
    settings: { type: 'string' },
  },
});

const fromArguments: VendorEndpointSettings = {
  port: Number(values.port),
  latencyMs: Number(values.latency),
  chunksPerSecond: Number(values.rate),
  ...(values['calls-per-second'] === undefined
    ? {}
    : { limit: { callsPerSecond: Number(values['calls-per-second']) } }),
};
const endpoint = await startVendorEndpoint(values.settings === undefined ? fromArguments : JSON.parse(values.settings));
if (process.send === undefined) console.log(JSON.stringify({ url: endpoint.url }));
else reply({ url: endpoint.url, statistics: endpoint.statistics() });

process.on('message', (request: EndpointRequest) => {
  if (request.type === 'configure') endpoint.configure(request.settings);
  reply({ url: endpoint.url, statistics: endpoint.statistics() });
});
process.on('disconnect', () => process.exit(0));

function reply(message: EndpointReply): void {
  process.send?.(message);
}
