import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Registry } from 'prom-client';
import { type Log, silentLog } from '../../../src/base/log.ts';
import type { NewGenerativeModel } from '../../../src/model/models/generative-model.ts';
import type { SpanStore } from '../../../src/span-store/contract/span-store.ts';
import { openSpanStore } from '../../../src/span-store/open-span-store.ts';
import type { SpanStoreOptions } from '../../../src/span-store/thread/span-store-options.ts';
import { createUploadQueue } from '../../../src/domain/datasets/upload-queue.ts';
import { createDomain, type Domain } from '../../../src/domain/domain.ts';
import type { Ports } from '../../../src/domain/ports.ts';
import { createImportQueue } from '../../../src/domain/spans/import-queue.ts';
import { NO_DATASETS, NO_EVALUATORS, NO_EXPERIMENTS, openFakeDomain } from '../../domain/fake-domain.ts';
import { openFakeModels } from '../../domain/fake-models.ts';
import { openHttpServer } from '../../../src/server/http/http-server.ts';
import { readWebFiles } from '../../../src/server/pages/web-files.ts';
import { type GraphqlOptions, graphqlRoutes } from '../../../src/api/graphql/routes.ts';
import { spanColumns, type TestSpan } from '../../fixtures/span-columns.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the query says what comes back
  readonly data: any;
  /** Messages, absent when there is none. */
  readonly errors?: readonly string[];
}

export interface GraphqlServer {
  readonly address: string;
  readonly store: SpanStore;
  readonly domain: Domain;
  /** The stores under the domain. */
  readonly ports: Ports;
  append(...spans: readonly TestSpan[]): Promise<void>;
  post(query: string, variables?: object): Promise<Answer>;
  /** The data; an error fails the test. */
  // biome-ignore lint/suspicious/noExplicitAny: the query says what comes back
  ask(query: string, variables?: object): Promise<any>;
}

/** GraphQL over HTTP on a real span store; projects are in memory, and named in the order of their first span. */
export async function openGraphqlServer(
  t: Pick<TestContext, 'after'>,
  options: Partial<Pick<GraphqlOptions, 'isReadOnly' | 'storageLock' | 'storage'>> & {
    readonly log?: Log;
    readonly shippedModels?: readonly NewGenerativeModel[];
    /** For `projects` that are given. */
    readonly removeProject?: SpanStoreOptions['removeProject'];
  } & Partial<
      Pick<Ports, 'projects' | 'search' | 'annotationConfigs' | 'prompts' | 'datasets' | 'experiments' | 'evaluators'>
    > = {},
): Promise<GraphqlServer> {
  const fake = openFakeDomain();
  const dir = await mkdtemp(join(tmpdir(), 'graphql-'));
  const store = await openSpanStore({
    dir,
    log: silentLog,
    removeProject: options.removeProject ?? fake.removeProject,
    resolveProjects: async (names) => {
      const ids = new Map<string, number>();
      for (const name of names) {
        const project = await fake.projects.find({ name });
        ids.set(name, (project ?? (await fake.projects.create({ name, description: null }))).rowId);
      }
      return ids;
    },
  });
  let position = 0;
  const ports: Ports = {
    projects: options.projects ?? fake.projects,
    datasets: options.datasets ?? NO_DATASETS,
    experiments: options.experiments ?? NO_EXPERIMENTS,
    evaluators: options.evaluators ?? NO_EVALUATORS,
    uploads: createUploadQueue(),
    imports: createImportQueue(),
    retention: fake.retention,
    prompts: options.prompts ?? fake.prompts,
    annotationConfigs: options.annotationConfigs ?? fake.annotationConfigs,
    recomputations: fake.recomputations,
    savedViews: fake.savedViews,
    providers: fake.providers,
    secrets: fake.secrets,
    search: options.search ?? fake.search,
    models: openFakeModels(options.shippedModels ?? [], async (models) => {
      await store.changeCosts({ what: 'prices', models: JSON.stringify(models) }, ++position);
    }),
    spans: store,
    writes: {
      ...fake.writes,
      async submitTransfer(transfer) {
        await store.transfer(transfer, ++position);
        return { position };
      },
      async submitAnnotations(batch) {
        const record = { ...batch, position: ++position, receivedAtMs: Date.now() };
        await store.append(spanColumns([]), position, [record]);
        return { position };
      },
      async submitDeletion(deletion) {
        await store.delete(deletion, ++position);
        return { position };
      },
    },
  };
  const domain = createDomain(ports);
  const log = options.log ?? silentLog;
  const server = await openHttpServer({
    routes: graphqlRoutes({
      consolePage: readWebFiles(new URL('../../../web/', import.meta.url), '').graphqlConsole,
      storage: { capacityBytes: undefined, tableSizes: async () => [], spanStoreBytes: async () => 0 },
      isReadOnly: false,
      storageLock: () => undefined,
      ...options,
      domain,
      log,
    }),
    host: '127.0.0.1',
    port: 0,
    rootPath: '',
    engine: 'node',
    compatibleVersion: '14.17.0',
    version: '0.1.0',
    log: silentLog,
    registry: new Registry(),
  });
  t.after(async () => {
    await server.close();
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });
  const post = async (query: string, variables?: object): Promise<Answer> => {
    const response = await fetch(`${server.address}/graphql`, {
      method: 'POST',
      headers: { connection: 'close', 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return toAnswer(response);
  };
  return {
    address: server.address,
    store,
    domain,
    ports,
    async append(...spans) {
      await store.append(spanColumns(spans), ++position);
    },
    post,
    async ask(query, variables) {
      const { data, errors } = await post(query, variables);
      if (errors) throw new Error(errors.join('; '));
      return data;
    },
  };
}

export async function toAnswer(response: Response): Promise<Answer> {
  const { data, errors } = (await response.json()) as { data: unknown; errors?: { message: string }[] };
  return { status: response.status, data, ...(errors && { errors: errors.map(({ message }) => message) }) };
}
