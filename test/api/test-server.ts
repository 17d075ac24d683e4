import { cp, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, silentLog } from '../../src/base/log.ts';
import { readConfig } from '../../src/config/config.ts';
import { SIGN_IN_OFF } from '../../src/model/access/caller.ts';
import type { NewGenerativeModel } from '../../src/model/models/generative-model.ts';
import { DEFAULT_PROJECT_NAME } from '../../src/model/projects/project.ts';
import type { Receipt } from '../../src/model/receipt.ts';
import type { SpanStore } from '../../src/span-store/contract/span-store.ts';
import type { Deletion } from '../../src/span-store/contract/writer.ts';
import { cleanUpAfter, openTestPostgres } from '../metadata-store/fixtures.ts';
import type { Ingest } from '../../src/ingest/ingest.ts';
import type { Domain, DomainFor } from '../../src/domain/domain.ts';
import type { Ports } from '../../src/domain/ports.ts';
import { createDocuments } from '../../src/api/graphql/routes.ts';
import { type ApiOptions, type Apis, createApis } from '../../src/create-apis.ts';
import { listen } from '../../src/listen.ts';
import { openDomain } from '../../src/open-domain.ts';
import { openParts } from '../../src/open-parts.ts';
import { openStores } from '../../src/open-stores.ts';
import { prepareRuntime } from '../../src/prepare-runtime.ts';
import { toRestSpans } from '../fixtures/rest-spans.ts';
import type { TestSpan } from '../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../fixtures/test-folder.ts';

export interface TestServerOptions extends ApiOptions {
  /** Settings by name without prefix, as `SERVICE_…`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Variables of the environment without a prefix, such as `OPENAI_API_KEY`. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly log?: Log;
  /** Replaces the models of the price file. */
  readonly builtInModels?: readonly NewGenerativeModel[];
  /** Replaces the measurement of the storage guard. */
  readonly storageLock?: () => string | undefined;
}

/** A server in this process, built by the stages that build every server, on real stores of its own. */
export interface TestServer {
  /** Everything that the server serves. */
  readonly apis: Pick<Apis, 'routes' | 'grpcMethods'>;
  readonly address: string;
  readonly grpcPort: number | undefined;
  readonly dataDir: string;
  /** URL of its database. */
  readonly databaseUrl: string;
  readonly store: SpanStore;
  readonly ingest: Ingest;
  readonly domain: Domain;
  readonly domainFor: DomainFor;
  /** The stores under the domain. */
  readonly ports: Ports;
  /** Stores spans through the ingest pipeline. */
  append(...spans: readonly TestSpan[]): Promise<void>;
  /** Resolves when reads see every acknowledged write. */
  settled(): Promise<void>;
  /** Calls a route. Resolves after a write when reads see it. */
  call(method: string, path: string, call?: Call): Promise<Reply>;
  post(query: string, variables?: object): Promise<Answer>;
  /** Data of a query. An error fails the test. */
  // biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
  ask(query: string, variables?: object): Promise<any>;
  /** Deletes all projects but the default one, and all spans. Row ids go on. */
  clear(): Promise<void>;
  /** Closes the server before the end of the test. */
  close(): Promise<void>;
}

export interface Call {
  readonly json?: unknown;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly accept?: string;
}

export interface Reply {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  /** Undefined when the body is not JSON. */
  readonly json: unknown;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
  readonly data: any;
  /** Messages, absent when there is none. */
  readonly errors?: readonly string[];
}

/**
 * One server for the tests of a file or suite, opened by the first test. Each test clears it, which is much quicker than
 * opening a server.
 */
export function shareTestServer(options?: TestServerOptions): () => Promise<TestServer> {
  const cleanUp = cleanUpAfter(after);
  let server: Promise<TestServer> | undefined;
  return async () => {
    if (server !== undefined) await (await server).clear();
    server ??= openTestServer({ after: cleanUp }, options);
    return server;
  };
}

/** Opens a server, on a copy of the template data directory if the run has one. It is closed after the test. */
export async function openTestServer(
  t: { after(work: () => Promise<void>): void },
  options: TestServerOptions = {},
): Promise<TestServer> {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const dataDir = await makeDataDir();
  cleanUp(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20 }));
  const url = await (await openTestPostgres(cleanUp)).newDatabase('server');
  const parts = await openStages(dataDir, url, options);
  cleanUp(() => parts.close());
  const { address, ingest } = parts;
  const settled = async () => {
    while ((await ingest.status()).backlogBytes > 0) await sleep(1);
  };
  const post = async (query: string, variables?: object) => toAnswer(await send(address, '/graphql', query, variables));
  return {
    ...parts,
    dataDir,
    databaseUrl: url,
    settled,
    clear: () => clear(parts),
    async append(...spans) {
      let receipt: Receipt | null = null;
      for (const { json, spanCount } of toRestSpans(spans)) ({ receipt } = await ingest.submitSpans(json, spanCount));
      if (receipt !== null) await ingest.waitFor(receipt);
    },
    async call(method, path, call = {}) {
      const reply = await callRest(address, method, path, call);
      if (method !== 'GET') await settled();
      return reply;
    },
    post,
    async ask(query, variables) {
      const { data, errors } = await post(query, variables);
      if (errors) throw new Error(errors.join('; '));
      return data;
    },
  };
}

async function clear({ ports: { projects, writes } }: Pick<TestServer, 'ports'>): Promise<void> {
  const { items } = await projects.list({ limit: 1_000 });
  let receipt: Receipt | null = null;
  for (const { rowId: projectId, name } of items) {
    const deletions: readonly Deletion[] =
      name === DEFAULT_PROJECT_NAME
        ? [
            { what: 'tracesOfProject', projectId, withSessions: true },
            { what: 'emptySessions', projectId, endBeforeUnixNano: 2n ** 62n },
          ]
        : [{ what: 'project', projectId, name }];
    for (const deletion of deletions) ({ receipt } = await writes.submitDeletion(deletion));
  }
  if (receipt !== null) await writes.waitFor(receipt);
}

/** Building the schema and compiling the documents takes a sixth of the time of opening a server. */
let documents: ReturnType<typeof createDocuments> | undefined;

const openStages = (dataDir: string, url: string, options: TestServerOptions) =>
  openParts(async (keep) => {
    const env = {
      WORKING_DIR: dataDir,
      SQL_DATABASE_URL: url,
      HOST: '127.0.0.1',
      PORT: '0',
      GRPC_PORT: '0',
      // Tests send many requests from one address.
      DISABLE_RATE_LIMIT: 'true',
      ...options.settings,
    };
    const { config } = readConfig({
      env: {
        ...options.variables,
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [`SERVICE_${name}`, value])),
      },
    });
    const onFatal = (error: Error) => {
      throw error;
    };
    const { log = silentLog, builtInModels, storageLock } = options;
    const prepared = await prepareRuntime({ config, log, onFatal });
    const runtime = {
      ...prepared,
      // A thread takes a tenth of the time of opening a server.
      memory: { ...prepared.memory, decodeThreadCount: 1 },
      decodesLazily: true,
      priceFile: { ...prepared.priceFile, ...(builtInModels && { models: builtInModels }) },
    };
    const stores = keep(await openStores(runtime));
    const opened = keep(await openDomain(runtime, stores));
    const { domain, ports } = opened;
    // One domain for all requests without sign-in, so that a test can replace its operations.
    const domainFor: DomainFor = (caller, remoteAddress) =>
      caller === SIGN_IN_OFF ? domain : opened.domainFor(caller, remoteAddress);
    const storage = storageLock ? { ...stores.storage, lock: storageLock } : stores.storage;
    documents ??= createDocuments();
    const apis = createApis(runtime, { ...stores, storage }, { ...opened, domainFor }, { documents, ...options });
    const { httpAddress, grpcPort } = keep(await listen(runtime, apis));
    return {
      apis,
      address: httpAddress,
      grpcPort,
      store: stores.spanStore,
      ingest: stores.ingest,
      domain,
      domainFor,
      ports,
    };
  });

/** A copy of the template without its Postgres, whose content the database has; empty when a test file runs by itself. */
async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(TEST_FOLDER, 'spandrel-test-'));
  const template = process.env.TEST_TEMPLATE_DIR;
  if (template === undefined) return dataDir;
  const isCopied = (path: string) => !/^(postgres|\.lock.*)$/.test(basename(path));
  await cp(template, dataDir, { recursive: true, filter: isCopied });
  return dataDir;
}

async function callRest(
  address: string,
  method: string,
  path: string,
  { json, body = json === undefined ? undefined : JSON.stringify(json), type, accept }: Call,
): Promise<Reply> {
  const contentType = type ?? (json === undefined ? undefined : 'application/json');
  const response = await fetch(address + path, {
    method,
    headers: {
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(accept !== undefined && { accept }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get('content-type'), text, json: parseJson(text) };
}

const send = (address: string, path: string, query: string, variables?: object) =>
  fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });

export async function toAnswer(response: Response): Promise<Answer> {
  const { data, errors } = (await response.json()) as { data: unknown; errors?: { message: string }[] };
  return { status: response.status, data, ...(errors && { errors: errors.map(({ message }) => message) }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
