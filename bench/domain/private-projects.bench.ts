/**
 * How much do page reads cost more when the domain hides private projects, and how many spans a second are acknowledged
 * with a key of named projects? The domain without a guard is that of a server without sign-in. All variants take turns in
 * one run, and each read has a domain of its own, as a request has.
 */
import pg from 'pg';
import { SIGN_IN_OFF, type SignedInCaller } from '../../src/model/access/caller.ts';
import type { OtlpRequest } from '../../src/ingest/ingest.ts';
import type { Domain } from '../../src/domain/domain.ts';
import { permittedProjects } from '../../src/domain/project-access/project-access.ts';
import { openTestServer, type TestServer } from '../../test/api/test-server.ts';
import { agentRequest } from '../../test/fixtures/otlp-requests.ts';
import type { TestSpan } from '../../test/fixtures/span-columns.ts';
import { isSmoke, size } from '../whole-server/measure.ts';

const SPAN_COUNTS = isSmoke ? [50] : [5_000, 50_000];
const PRIVATE_COUNTS = isSmoke ? [0, 3] : [0, 100, 10_000];
const ROUND_COUNT = size('ROUNDS', { smoke: 2, full: 200 });
const SEND_MS = size('SEND_MS', { smoke: 30, full: 2_000 });
const SEND_ROUND_COUNT = isSmoke ? 1 : 5;

const closing: (() => Promise<void>)[] = [];
const callerOf = (projects: ReadonlySet<string> | null): SignedInCaller => ({
  ...{ kind: 'signedIn', credential: 'session', credentialRowId: 1, scope: 'ALL', projects },
  user: { rowId: 999, role: 'MEMBER', username: 'bench', email: null, groups: ['a', 'b'] },
  signal: new AbortController().signal,
});

/** What the list of spans over REST reads. */
const readNewest = ({ spans }: Domain, projectId: number) => spans.findSpans({ projectId, limit: 100 });

/** What the table of spans of the interface reads. */
async function readTable({ spans }: Domain, projectId: number): Promise<void> {
  const options = { readClass: 'interface' } as const;
  const { items } = await spans.listSpans({ projectId, order: 'desc', limit: 50 }, options);
  const rowIds = items.map(({ span }) => span.rowId);
  const traceRowIds = [...new Set(items.map(({ span }) => span.traceRowId))];
  await Promise.all([
    spans.get({ of: 'spans', column: 'body', rowIds }, options),
    spans.get({ of: 'spans', column: 'costs', rowIds }, options),
    spans.get({ of: 'spans', column: 'annotations', rowIds }, options),
    spans.get({ of: 'traces', column: 'row', rowIds: traceRowIds }, options),
  ]);
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function makePrivate(server: TestServer, upTo: number): Promise<void> {
  const db = new pg.Client({ connectionString: server.databaseUrl });
  await db.connect();
  await db.query(
    `insert into projects (name, is_private) select 'private ' || n, true from generate_series(1, $1) n
     on conflict do nothing`,
    [upTo],
  );
  await db.end();
  await server.ports.signIn?.credentials.sync();
}

async function benchReads(spanCount: number): Promise<void> {
  const server = await openServer();
  const spans = Array.from(
    { length: spanCount },
    (_, index): TestSpan => ({
      project: 'open',
      traceId: (1 + (index >> 3)).toString(16).padStart(32, '0'),
      spanId: (1 + index).toString(16).padStart(16, '0'),
      spanKind: 'LLM',
      input: `question ${index}`.repeat(20),
      output: `answer ${index}`.repeat(20),
      attributes: { llm: { model_name: 'm' } },
      tokens: [100, 20],
    }),
  );
  for (let from = 0; from < spanCount; from += 1_000) await server.append(...spans.slice(from, from + 1_000));
  const project = await server.domain.projects.find({ name: 'open' });
  if (project === undefined) throw new Error('the project of the spans is missing');
  const reads = { 'newest page': readNewest, 'spans table': readTable } as const;
  for (const privateCount of PRIVATE_COUNTS) {
    await makePrivate(server, privateCount);
    for (const [name, read] of Object.entries(reads)) {
      const times: Record<'bare' | 'guarded', number[]> = { bare: [], guarded: [] };
      for (let round = 0; round < ROUND_COUNT; round++) {
        const order = round % 2 === 0 ? (['bare', 'guarded'] as const) : (['guarded', 'bare'] as const);
        for (const variant of order) {
          const startedAt = performance.now();
          await read(server.domainFor(variant === 'bare' ? SIGN_IN_OFF : callerOf(null), null), project.rowId);
          times[variant].push(performance.now() - startedAt);
        }
      }
      const [bare, guarded] = [median(times.bare), median(times.guarded)];
      console.log(
        `${name}, ${spanCount} spans, ${privateCount} private projects: ${bare.toFixed(2)} ms without the guard, ` +
          `${guarded.toFixed(2)} ms with it, ratio ${(guarded / bare).toFixed(3)}`,
      );
    }
  }
}

async function benchIngest(traceCount: number): Promise<void> {
  const server = await openServer();
  await makePrivate(server, PRIVATE_COUNTS.at(-1) ?? 0);
  const directory = server.ports.signIn?.projectDirectory;
  if (directory === undefined) throw new Error('the server has sign-in');
  const variants = {
    'no private project': undefined,
    'private projects': permittedProjects(callerOf(null), directory),
    'a key of projects': permittedProjects(callerOf(new Set(['default', 'agent', 'a', 'b'])), directory),
  } as const;
  const bodies = Array.from({ length: 8 }, (_, seed) => agentRequest({ seed, traceCount }));
  const rates: Record<string, number[]> = {};
  for (let round = 0; round < SEND_ROUND_COUNT; round++) {
    for (const [name, mayStoreIn] of Object.entries(variants)) {
      // The name in the sample requests is not among those of the key, so the check is timed and its answer ignored.
      const check: OtlpRequest['mayStoreIn'] = mayStoreIn && ((project) => mayStoreIn(project) || true);
      let spanCount = 0;
      const endsAt = performance.now() + SEND_MS;
      const send = async (sender: number) => {
        for (let serial = sender; performance.now() < endsAt; serial++) {
          const body = new Uint8Array(bodies[serial % bodies.length] ?? []);
          const from = { source: 'http', remoteAddress: '' } as const;
          const acknowledged = await server.ingest.submitOtlp({
            format: 'protobuf',
            encoding: 'identity',
            body,
            from,
            mayStoreIn: check,
          });
          spanCount += acknowledged.spanCount;
        }
      };
      await Promise.all([0, 1, 2, 3].map(send));
      const perSecond = (spanCount / SEND_MS) * 1_000;
      rates[name] = [...(rates[name] ?? []), perSecond];
      await server.settled();
    }
  }
  const base = median(rates['no private project'] ?? []);
  for (const [name, all] of Object.entries(rates)) {
    const rate = median(all);
    console.log(
      `ingest, ${traceCount} traces a request, ${name}: ${Math.round(rate)} spans/s acknowledged, ratio ${(rate / base).toFixed(3)}`,
    );
  }
}

const openServer = (): Promise<TestServer> =>
  openTestServer(
    { after: (close) => closing.push(close) },
    { settings: { ENABLE_AUTH: 'true', SECRET: `secret-0${'a'.repeat(30)}` } },
  );

try {
  for (const spanCount of SPAN_COUNTS) await benchReads(spanCount);
  for (const traceCount of isSmoke ? [2] : [2, 100]) await benchIngest(traceCount);
} finally {
  for (const close of closing.reverse()) await close();
}
