import type { Registry } from 'prom-client';
import { errorTextResponse } from './error-response.ts';
import { jsonTextResponse, type RequestHead, type Route, textResponse } from './route.ts';

export interface HealthRoutesOptions {
  /** Version of the described server with which this one is compatible. */
  readonly compatibleVersion: string;
  /** The reason why reads lack data, if they do. Rejects when a store does not respond. */
  readonly findUnreadiness: () => Promise<string | undefined>;
}

/** Routes for probes. None needs a credential. */
export const healthRoutes = ({ compatibleVersion, findUnreadiness }: HealthRoutesOptions): Route[] => [
  { method: 'GET', path: '/healthz', access: 'open', bodyBytesMax: 0, handle: () => textResponse(200, 'OK') },
  {
    method: 'GET',
    path: '/readyz',
    access: 'open',
    bodyBytesMax: 0,
    async handle() {
      const reason = await findUnreadiness().catch(() => 'database unreachable');
      return reason === undefined ? jsonTextResponse(200, '{}') : textResponse(503, reason);
    },
  },
  {
    method: 'GET',
    path: '/arize_phoenix_version',
    access: 'open',
    bodyBytesMax: 0,
    handle: () => textResponse(200, compatibleVersion),
  },
];

/** Route of the Prometheus metrics, which reveal how much data of which kind the server receives. */
export const metricsRoute = (
  registry: Registry,
  mayRead: (request: RequestHead) => boolean,
  beforeScrape: () => Promise<void>,
): Route => ({
  method: 'GET',
  path: '/metrics',
  access: 'open',
  bodyBytesMax: 0,
  async handle(request) {
    if (!mayRead(request)) return errorTextResponse('METRICS_LOCAL', METRICS_LOCAL);
    await beforeScrape();
    return { status: 200, headers: { 'content-type': registry.contentType }, body: await registry.metrics() };
  },
});

const METRICS_LOCAL =
  'Only this machine may read metrics on this port. To read them from elsewhere, set SERVICE_ENABLE_PROMETHEUS and SERVICE_METRICS_HOST.';
