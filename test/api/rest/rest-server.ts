import { tmpdir } from 'node:os';
import type { TestContext } from 'node:test';
import { Registry } from 'prom-client';
import { silentLog } from '../../../src/base/log.ts';
import { createDomain } from '../../../src/domain/domain.ts';
import type { Ports } from '../../../src/domain/ports.ts';
import { type FakeDomain, openFakeDomain } from '../../domain/fake-domain.ts';
import { openHttpServer } from '../../../src/server/http/http-server.ts';
import { restRoutes } from '../../../src/api/rest/routes.ts';

export interface Reply {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  /** Undefined when the body is no JSON. */
  readonly json: unknown;
}

export interface Call {
  readonly json?: unknown;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly accept?: string;
}

export interface RestServer<Stores extends Ports> {
  readonly domain: Stores;
  readonly address: string;
  call(method: string, path: string, call?: Call): Promise<Reply>;
}

/** The REST routes over HTTP, on stores in memory. */
export const openRestServer = (t: Pick<TestContext, 'after'>): Promise<RestServer<FakeDomain>> =>
  openRestServerOn(t, openFakeDomain());

/** The REST routes over HTTP, on these stores. */
export async function openRestServerOn<Stores extends Ports>(
  t: Pick<TestContext, 'after'>,
  domain: Stores,
): Promise<RestServer<Stores>> {
  const server = await openHttpServer({
    routes: restRoutes({ domain: createDomain(domain), version: '0.1.0', uploadDir: tmpdir() }),
    host: '127.0.0.1',
    port: 0,
    rootPath: '',
    engine: 'node',
    compatibleVersion: '14.17.0',
    version: '0.1.0',
    log: silentLog,
    registry: new Registry(),
  });
  t.after(() => server.close());
  return {
    domain,
    address: server.address,
    async call(method, path, { json, body, type, accept } = {}) {
      const contentType = type ?? (json === undefined ? undefined : 'application/json');
      const response = await fetch(server.address + path, {
        method,
        headers: {
          connection: 'close',
          ...(contentType !== undefined && { 'content-type': contentType }),
          ...(accept !== undefined && { accept }),
        },
        ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined ? { body } : {}),
      });
      const text = await response.text();
      return { status: response.status, type: response.headers.get('content-type'), text, json: parseJson(text) };
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
