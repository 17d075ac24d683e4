import type { Registry } from 'prom-client';
import { jsonTextResponse, type Route, textResponse } from './route.ts';

export interface HealthRoutesOptions {
  /** Version of the described server with which this one is compatible. */
  readonly compatibleVersion: string;
  /** Whether the stores respond. A rejection counts as no. */
  readonly isReady: () => Promise<boolean>;
  readonly registry: Registry;
}

/** Routes for probes and operators. None needs a credential. */
export const healthRoutes = ({ compatibleVersion, isReady, registry }: HealthRoutesOptions): Route[] => [
  { method: 'GET', path: '/healthz', access: 'open', bodyBytesMax: 0, handle: () => textResponse(200, 'OK') },
  {
    method: 'GET',
    path: '/readyz',
    access: 'open',
    bodyBytesMax: 0,
    async handle() {
      const ready = await isReady().catch(() => false);
      return ready ? jsonTextResponse(200, '{}') : textResponse(503, 'database unreachable');
    },
  },
  {
    method: 'GET',
    path: '/arize_phoenix_version',
    access: 'open',
    bodyBytesMax: 0,
    handle: () => textResponse(200, compatibleVersion),
  },
  {
    method: 'GET',
    path: '/metrics',
    access: 'open',
    bodyBytesMax: 0,
    async handle() {
      return { status: 200, headers: { 'content-type': registry.contentType }, body: await registry.metrics() };
    },
  },
];
