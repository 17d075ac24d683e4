import type { TestContext } from 'node:test';
import { Registry } from 'prom-client';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { type HttpServer, type HttpServerOptions, openHttpServer } from '../../../src/server/http/http-server.ts';
import type { HttpRequest, HttpResponse, Route } from '../../../src/server/route.ts';

export type EngineName = 'uws' | 'node';

export interface ServerUnderTest extends HttpServer {
  readonly registry: Registry;
  /** Logged errors. */
  readonly errors: { readonly fields: Record<string, unknown>; readonly message: string }[];
}

/** A listening server that is closed with the test. */
export async function openTestServer(
  t: TestContext,
  engine: EngineName,
  routes: readonly Route[],
  options: Partial<HttpServerOptions> = {},
): Promise<ServerUnderTest> {
  const registry = new Registry();
  const errors: ServerUnderTest['errors'] = [];
  const log: Log = {
    ...silentLog,
    debug() {},
    info() {},
    warn() {},
    error: (fields, message) => errors.push({ fields: { ...fields }, message }),
    child: () => log,
  };
  const server = await openHttpServer({
    routes,
    engine,
    host: '127.0.0.1',
    port: 0,
    rootPath: '',
    compatibleVersion: '14.17.0',
    version: '0.1.0',
    log,
    registry,
    ...options,
    limits: { drainMsMax: 200, ...options.limits },
  });
  t.after(() => server.close());
  return { ...server, registry, errors };
}

export const get = (path: string, handle: Route['handle']): Route => ({
  method: 'GET',
  path,
  access: 'open',
  bodyBytesMax: 0,
  handle,
});

export const post = (path: string, handle: Route['handle'], bodyBytesMax = 1024 * 1024): Route => ({
  method: 'POST',
  path,
  access: 'open',
  bodyBytesMax,
  handle,
});

/** Responds with the request that it received. */
export const echo = async ({
  method,
  path,
  params,
  query,
  body,
  remoteAddress,
  clientAddress,
  isForwarded,
  isSecure,
}: HttpRequest): Promise<HttpResponse> => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    method,
    path,
    params,
    query,
    remoteAddress,
    clientAddress,
    isForwarded,
    isSecure,
    bodyBytes: body.byteLength,
    bodyText: body.byteLength < 100 ? Buffer.from(body).toString() : undefined,
    ownsBuffer: body.byteOffset === 0 && body.buffer.byteLength === body.byteLength,
  }),
});
