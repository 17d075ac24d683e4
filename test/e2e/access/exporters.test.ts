import assert from 'node:assert/strict';
import { request } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { createClient } from '@arizeai/phoenix-client';
import { createDataset } from '@arizeai/phoenix-client/datasets';
import { getSpans, logSpans, type Span } from '@arizeai/phoenix-client/spans';
import { credentials, Metadata, status } from '@grpc/grpc-js';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemorySpanExporter, SimpleSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { cleanUpAfter, until } from '../../metadata-store/fixtures.ts';
import { NO_OPENSSL, openCertificateDirectory } from '../../server/tls/certificates.ts';
import { ADMIN_SECRET, openSignedInServer, type SignedInServer } from '../../api/access/signed-in-server.ts';

/** What an exporter and a reader may do with each credential: 200, or the status of HTTP. */
const EXPECTED = {
  'key of an administrator': { send: 200, read: 200, write: 200 },
  'key of a member': { send: 200, read: 200, write: 200 },
  'key of a viewer': { send: 403, read: 200, write: 403 },
  'system key': { send: 200, read: 200, write: 200 },
  'key that sends only': { send: 200, read: 403, write: 403 },
  'key that reads only': { send: 403, read: 200, write: 403 },
  'deleted key': { send: 401, read: 401, write: 401 },
  'admin secret': { send: 200, read: 200, write: 200 },
  'no credential': { send: 401, read: 401, write: 401 },
} as const;
type Name = keyof typeof EXPECTED;

type Call = (
  bearer: string | undefined,
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly json: unknown; readonly cookies: readonly string[] }>;

/** A key of each kind; undefined without one. */
async function makeKeys(call: Call): Promise<Record<Name, string | undefined>> {
  const newKey = async (bearer: string, path: string, data: object) => {
    const { json } = await call(bearer, 'POST', `/v1/${path}/api_keys`, { data: { name: 'k', ...data } });
    return (json as { data: { key: string; id: string } }).data;
  };
  const keyOf = async (username: string, role: string, data: object = {}) => {
    const email = `${username}@example.com`;
    const user = { auth_method: 'LOCAL', email, username, role, password: 'word-1' };
    assert.equal((await call(ADMIN_SECRET, 'POST', '/v1/users', { user })).status, 201);
    const { cookies } = await call(undefined, 'POST', '/auth/login', { email, password: 'word-1' });
    const access = /^phoenix-access-token=([^;]*)/.exec(cookies.find((cookie) => cookie.includes('access')) ?? '');
    return newKey(access?.[1] ?? assert.fail(cookies.join()), 'user', data);
  };
  const deleted = await keyOf('former', 'MEMBER');
  assert.equal((await call(ADMIN_SECRET, 'DELETE', `/v1/user/api_keys/${deleted.id}`)).status, 204);
  return {
    'key of an administrator': (await keyOf('chief', 'ADMIN')).key,
    'key of a member': (await keyOf('member', 'MEMBER')).key,
    'key of a viewer': (await keyOf('viewer', 'VIEWER')).key,
    'system key': (await newKey(ADMIN_SECRET, 'system', {})).key,
    'key that sends only': (await keyOf('sender', 'MEMBER', { scope: 'SEND' })).key,
    'key that reads only': (await keyOf('reader', 'MEMBER', { scope: 'READ' })).key,
    'deleted key': deleted.key,
    'admin secret': ADMIN_SECRET,
    'no credential': undefined,
  };
}

/** Exports one span as an application does. Returns 200 or the status that the exporter reports. */
async function exportSpan(project: string, exporter: SpanExporter): Promise<number> {
  const memory = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'openinference.project.name': project }),
    spanProcessors: [new SimpleSpanProcessor(memory)],
  });
  provider.getTracer('e2e').startSpan('sent').end();
  await provider.forceFlush();
  const result = await new Promise<{ code: number; error?: Error & { code?: number } }>((resolve) =>
    exporter.export(memory.getFinishedSpans(), resolve),
  );
  await exporter.shutdown();
  return result.code === 0 ? 200 : (result.error?.code ?? 0);
}

const headersOf = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };
const GRPC_STATUS: Readonly<Record<number, number>> = { 401: status.UNAUTHENTICATED, 403: status.PERMISSION_DENIED };

describe('with client certificates and a key of each kind', { skip: NO_OPENSSL }, () => {
  const cleanUp = cleanUpAfter(after);
  let server: SignedInServer;
  let keys: Record<Name, string | undefined>;
  let trust: { readonly ca: Buffer; readonly cert?: Buffer; readonly key?: Buffer };

  const call: Call = (bearer, method, path, body) =>
    new Promise((resolve, reject) => {
      const url = server.address.replace('127.0.0.1', 'localhost') + path;
      const headers = { 'content-type': 'application/json', ...headersOf(bearer) };
      const sent = request(url, { method, headers, agent: false, ...trust }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const json = text.startsWith('{') ? JSON.parse(text) : undefined;
          resolve({ status: response.statusCode ?? 0, json, cookies: response.headers['set-cookie'] ?? [] });
        });
      });
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });

  before(async () => {
    const files = openCertificateDirectory();
    cleanUp(async () => files.remove());
    files.makeAuthority('authority');
    for (const name of ['server', 'client']) files.make(name, { authority: 'authority' });
    trust = { ca: files.read('authority.pem'), cert: files.read('client.pem'), key: files.read('client.key') };
    const settings = {
      TLS_ENABLED: 'true',
      TLS_CERT_FILE: files.path('server.pem'),
      TLS_KEY_FILE: files.path('server.key'),
      TLS_CA_FILE: files.path('authority.pem'),
      TLS_VERIFY_CLIENT: 'true',
    };
    server = await openSignedInServer({ after: cleanUp }, { settings });
    keys = await makeKeys(call);
  });

  /** Exporters with the certificate of the client, or without it. */
  const exporters = (headers: Record<string, string>, { ca, cert, key } = trust): Record<string, SpanExporter> => {
    const http = {
      url: `${server.address.replace('127.0.0.1', 'localhost')}/v1/traces`,
      headers,
      httpAgentOptions: { ca, ...(cert && key && { cert, key }) },
      timeoutMillis: 5_000,
    };
    return {
      'HTTP protobuf': new ProtobufExporter(http),
      'HTTP JSON': new JsonExporter(http),
      gRPC: new GrpcExporter({
        url: `https://localhost:${server.grpcPort}`,
        metadata: Metadata.fromHttp2Headers(headers),
        credentials: credentials.createSsl(ca, key ?? null, cert ?? null),
        timeoutMillis: 5_000,
      }),
    };
  };

  test('the exporters of OpenTelemetry send what the key allows, and hear why not', async () => {
    let sentCount = 0;
    for (const [name, expected] of Object.entries(EXPECTED)) {
      for (const [kind, exporter] of Object.entries(exporters(headersOf(keys[name as Name])))) {
        const status = expected.send === 200 || kind !== 'gRPC' ? expected.send : GRPC_STATUS[expected.send];
        assert.equal(await exportSpan('exporters', exporter), status, `${name} over ${kind}`);
        if (status === 200) sentCount++;
      }
    }
    await until('the sent spans and no others are there', async () => {
      const { json } = await call(ADMIN_SECRET, 'GET', '/v1/projects/exporters/spans?limit=100');
      return (json as { data?: unknown[] } | undefined)?.data?.length === sentCount;
    });
  });

  test('the exporters reach nothing without the certificate, whatever their key', async () => {
    const headers = headersOf(keys['key of an administrator']);
    for (const [kind, exporter] of Object.entries(exporters(headers, { ca: trust.ca })))
      assert.notEqual(await exportSpan('strangers', exporter), 200, kind);
    const { status } = await call(ADMIN_SECRET, 'GET', '/v1/projects/strangers');
    assert.equal(status, 404);
  });
});

describe('the public TypeScript client with a key of each kind', () => {
  const cleanUp = cleanUpAfter(after);
  let server: SignedInServer;
  let keys: Record<Name, string | undefined>;
  before(async () => {
    server = await openSignedInServer({ after: cleanUp });
    keys = await makeKeys(async (bearer, method, path, body) => {
      const response = await fetch(server.address + path, {
        method,
        headers: { 'content-type': 'application/json', ...headersOf(bearer) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const json = text.startsWith('{') ? JSON.parse(text) : undefined;
      return { status: response.status, json, cookies: response.headers.getSetCookie() };
    });
  });

  test('sends, reads and writes what the key allows', async () => {
    const span: Span = {
      name: 'sent',
      context: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) },
      span_kind: 'CHAIN',
      start_time: '2026-01-01T12:00:00Z',
      end_time: '2026-01-01T12:00:01Z',
      status_code: 'OK',
    };
    const project = { projectName: 'clients' };
    const asAdmin = createClient({ options: { baseUrl: server.address, headers: headersOf(ADMIN_SECRET) } });
    const succeeds = (work: Promise<unknown>) =>
      work.then(
        () => true,
        () => false,
      );
    await logSpans({ client: asAdmin, project, spans: [span] });
    await until('the project is there', () => succeeds(getSpans({ client: asAdmin, project })));
    for (const [name, expected] of Object.entries(EXPECTED)) {
      const client = createClient({
        options: { baseUrl: server.address, headers: headersOf(keys[name as Name]) },
      });
      const next = { ...span, context: { ...span.context, span_id: Buffer.from(name).toString('hex').slice(-16) } };
      const found = {
        read: await succeeds(getSpans({ client, project })),
        write: await succeeds(createDataset({ client, name, description: '', examples: [{ input: { q: 1 } }] })),
        log: await succeeds(logSpans({ client, project, spans: [next] })),
      };
      const expectedLog = name === 'key that sends only' || expected.write === 200;
      assert.deepEqual(found, { read: expected.read === 200, write: expected.write === 200, log: expectedLog }, name);
    }
  });
});
