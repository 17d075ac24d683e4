import type { Registry } from 'prom-client';
import { loadUWebSockets } from '../../../native-bindings/uwebsockets.ts';
import { ByteBudget } from '../../base/byte-budget.ts';
import type { Log } from '../../base/log.ts';
import { HeapBudget } from '../../base/memory/heap-budget.ts';
import { INFLIGHT_BYTES_MAX } from '../../model/limits/ingest.ts';
import {
  BODY_STALL_BYTES_MIN,
  BODY_STALL_MS_MAX,
  CONNECTION_COUNT_MAX,
  DRAIN_MS_MAX,
  PARSER_HEADER_BYTES_MAX,
  RESPONSE_STALL_MS_MAX,
} from '../../model/limits/requests.ts';
import { type Gate, OPEN_GATE } from '../guards/gate.ts';
import { createOriginPolicy } from '../guards/origin-policy.ts';
import { createTrustedProxies } from '../guards/trusted-proxies.ts';
import type { HttpResponse, Route } from '../route.ts';
import { watchCertificate } from '../tls/certificate-watch.ts';
import { readTlsMaterial, type TlsFiles } from '../tls/tls-files.ts';
import { startAcknowledgementWatch } from './acknowledgement-watch.ts';
import type { Engine, EngineOptions } from './exchange.ts';
import { createHttpMetrics } from './http-metrics.ts';
import { openNodeEngine } from './node-engine.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { createRequestServer } from './serve-request.ts';
import { startStallWatch } from './stall-watch.ts';
import { openUwsEngine } from './uws-engine.ts';

export interface HttpServerOptions {
  readonly routes: readonly Route[];
  /** `::` listens on all addresses of both families. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** `/prefix`, or an empty text. */
  readonly rootPath: string;
  /** `auto` selects uWebSockets.js if it loads and supports the options, otherwise `node:http`. */
  readonly engine: 'auto' | 'uws' | 'node';
  readonly tls?: TlsFiles;
  /** Interval at which the TLS files are checked for changes, for tests. */
  readonly tlsPollMs?: number;
  /** Compatible version, sent as `x-phoenix-server-version`. */
  readonly compatibleVersion: string;
  /** Version of Spandrel, sent as `x-spandrel-version`. */
  readonly version: string;
  readonly allowedOrigins?: readonly string[];
  readonly csrfTrustedOrigins?: readonly string[];
  readonly allowedHosts?: readonly string[];
  /** Addresses and networks of proxies whose forwarding headers count. */
  readonly trustedProxies?: readonly string[];
  /** Public URL of the server, if known. */
  readonly rootUrl?: string | undefined;
  /** Default: every route is open. */
  readonly gate?: Gate;
  /**
   * Response for a browser that requests a path without a route: the page of the web interface, which has its own
   * router.
   */
  readonly page?: HttpResponse;
  /** Budget of bodies, from the first byte until the handler ends. Default: `INFLIGHT_BYTES_MAX`. */
  readonly bodyBudget?: ByteBudget;
  /** Budget of values parsed from bodies, until the handler ends. Default: no limit. */
  readonly heapBudget?: HeapBudget;
  readonly log: Log;
  readonly registry: Registry;
  /** Overrides of the limits of `model/limits`, for tests. */
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpLimits {
  readonly bodyStallMsMax: number;
  readonly responseStallMsMax: number;
  readonly drainMsMax: number;
  readonly connectionCountMax: number;
}

export interface HttpServer {
  readonly engine: Engine['name'];
  readonly port: number;
  /** `http://host:port` at which the server can reach itself. */
  readonly address: string;
  /** Accepts no further request, waits up to `DRAIN_MS_MAX` for running ones, and then closes them. */
  close(): Promise<void>;
}

/** Serves these routes on an HTTP port. */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { log } = options;
  const tls = options.tls && { files: options.tls, material: await readTlsMaterial(options.tls) };
  const limits: HttpLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const security = createSecurityHeaders(tls !== undefined, options.rootUrl);
  const commonHeaders = {
    'x-phoenix-server-version': options.compatibleVersion,
    'x-spandrel-version': options.version,
    'x-colab-notebook-cache-control': 'no-cache',
    ...security.always,
  };
  const trustedProxies = createTrustedProxies(options.trustedProxies ?? [], tls !== undefined);
  const server = createRequestServer({
    routes: options.routes,
    rootPath: options.rootPath,
    originPolicy: createOriginPolicy({
      allowedOrigins: options.allowedOrigins ?? [],
      csrfTrustedOrigins: options.csrfTrustedOrigins ?? [],
      allowedHosts: options.allowedHosts ?? [],
      rootUrl: options.rootUrl,
      trustedProxies,
      isTls: tls !== undefined,
      log,
    }),
    trustedProxies,
    gate: options.gate ?? OPEN_GATE,
    page: options.page,
    commonHeaders,
    defaultHeaders: security.defaultsFor,
    bodyBudget: options.bodyBudget ?? new ByteBudget(INFLIGHT_BYTES_MAX),
    heapBudget: options.heapBudget ?? new HeapBudget(Number.POSITIVE_INFINITY),
    metrics: createHttpMetrics(options.registry),
    log,
  });
  const engine = await openEngine(options.engine, log, {
    host: options.host,
    port: options.port,
    tls,
    connectionCountMax: limits.connectionCountMax,
    commonHeaders: { ...security.defaultsFor({ status: 400 }), ...commonHeaders },
    onExchange: server.serve,
  });
  const stallWatch = startStallWatch(server.inFlight, {
    bodyMsMax: limits.bodyStallMsMax,
    bodyBytesMin: BODY_STALL_BYTES_MIN,
    responseMsMax: limits.responseStallMsMax,
  });
  const acknowledgementWatch = startAcknowledgementWatch(server.inFlight, limits.responseStallMsMax, engine.port);

  const certificateWatch =
    tls &&
    watchCertificate({
      tls,
      apply: (material) => engine.reloadTls(material),
      listener: 'HTTP',
      log,
      ...(options.tlsPollMs === undefined ? {} : { intervalMs: options.tlsPollMs }),
    });

  let closing: Promise<void> | undefined;
  const close = async () => {
    certificateWatch?.close();
    engine.stopListening();
    await within(limits.drainMsMax, server.drain());
    stallWatch.stop();
    acknowledgementWatch.stop();
    await engine.close();
  };
  return {
    engine: engine.name,
    port: engine.port,
    address: `${tls === undefined ? 'http' : 'https'}://${reachableHost(options.host)}:${engine.port}`,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

const DEFAULT_LIMITS: HttpLimits = {
  bodyStallMsMax: BODY_STALL_MS_MAX,
  responseStallMsMax: RESPONSE_STALL_MS_MAX,
  drainMsMax: DRAIN_MS_MAX,
  connectionCountMax: CONNECTION_COUNT_MAX,
};

function openEngine(requested: HttpServerOptions['engine'], log: Log, options: EngineOptions): Promise<Engine> {
  if (requested === 'node') return openNodeEngine(options);
  if (options.tls?.files.verifiesClient) {
    // uWebSockets.js requests a client certificate but accepts clients without one.
    if (requested === 'uws')
      throw new Error('uWebSockets.js cannot require client certificates; use the engine "node"');
    log.info({}, 'Client certificates are verified, so HTTP runs on node:http');
    return openNodeEngine(options);
  }
  const load = loadUWebSockets(PARSER_HEADER_BYTES_MAX);
  if (load.state === 'loaded') return openUwsEngine(load.uws, options);
  if (requested === 'uws') throw new Error(`Could not load uWebSockets.js: ${load.reason}`);
  log.warn({ reason: load.reason }, 'Could not load uWebSockets.js; HTTP runs on node:http, which is slower');
  return openNodeEngine(options);
}

const reachableHost = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
