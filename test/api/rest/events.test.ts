import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { Registry } from 'prom-client';
import { silentLog } from '../../../src/base/log.ts';
import { ChangeClock } from '../../../src/span-store/thread/change-clock.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { openHttpServer } from '../../../src/server/http/http-server.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { type EventsOptions, openEvents } from '../../../src/api/rest/events.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { connect } from './event-stream.ts';

let stores: TestServer;
const cleanUp = cleanUpAfter(after);
before(async () => {
  stores = await openTestServer({ after: cleanUp });
  await stores.ports.projects.create({ name: 'mine', description: null });
});

/** Streams of a real domain whose changes the test reports, with their times. */
async function open(t: TestContext, engine: 'node' | 'auto', options: Omit<EventsOptions, 'domainFor'> = {}) {
  const clock = new ChangeClock();
  const { projects } = stores.domain;
  const spans = {
    ...stores.domain.spans,
    lastChangedAt: async (id?: number) => (id === undefined ? clock.latest : clock.of(id)),
    onChange: clock.listen.bind(clock),
  };
  const events = openEvents({ domainFor: () => ({ projects, spans }), heartbeatMs: 20, intervalMs: 1, ...options });
  const server = await openHttpServer({
    routes: events.routes,
    host: '127.0.0.1',
    port: 0,
    rootPath: '',
    engine,
    compatibleVersion: '14.17.0',
    version: '0.1.0',
    log: silentLog,
    registry: new Registry(),
  });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    events.close();
    await server.close();
  };
  t.after(close);
  return { clock, close, url: `${server.address}/events` };
}

for (const engine of ['auto', 'node'] as const) {
  describe(`live changes (${engine} engine)`, () => {
    test('send the time of the last change of a project, at once and after each', async (t) => {
      const { clock, url } = await open(t, engine);
      const stream = await connect(`${url}?project=mine`);
      const project = toGlobalId('Project', 2);

      assert.equal(stream.response.headers.get('content-type'), 'text/event-stream');
      assert.deepEqual(await stream.next(), { project, last_changed_at: null });
      clock.record({ projectIds: [1] }, 1_000);
      clock.record({ projectIds: [2] }, 2_000);
      assert.deepEqual(await stream.next(), { project, last_changed_at: '1970-01-01T00:00:02+00:00' });
      clock.record(undefined, 3_000);
      assert.deepEqual(await stream.next(), { project, last_changed_at: '1970-01-01T00:00:03+00:00' });
      stream.leave();
    });

    test('report every project when none is named', async (t) => {
      const { clock, url } = await open(t, engine);
      const stream = await connect(url);

      assert.deepEqual(await stream.next(), { project: null, last_changed_at: null });
      clock.record({ projectIds: [7] }, 5_000);
      assert.deepEqual(await stream.next(), { project: null, last_changed_at: '1970-01-01T00:00:05+00:00' });
      stream.leave();
    });

    test('are gathered: many changes are few events, and the last one is sent', async (t) => {
      const { clock, url } = await open(t, engine, { intervalMs: 30 });
      const stream = await connect(url);
      await stream.next();

      for (let at = 1; at <= 5_000; at++) clock.record({ projectIds: [1] }, at * 1_000);

      const seen = [];
      do seen.push((await stream.next()).last_changed_at);
      while (seen.at(-1) !== '1970-01-01T01:23:20+00:00');
      assert.ok(seen.length <= 2, `${seen.length} events`);
      stream.leave();
    });

    test('have a sign of life while nothing changes', async (t) => {
      const { url } = await open(t, engine);
      const stream = await connect(url);
      const blocks = [];
      while (blocks.at(-1) !== 'event: heartbeat\ndata: {}') blocks.push(await stream.block());
      assert.equal(blocks[0], 'retry: 2000');
      stream.leave();
    });

    test('end with the server, which does not wait for their readers', async (t) => {
      const { url, close } = await open(t, engine, { heartbeatMs: 60_000 });
      const stream = await connect(url);
      await stream.next();

      await close();

      assert.equal(await stream.next(), undefined);
    });

    test('are limited in readers, and those that left free their slots', async (t) => {
      const { url } = await open(t, engine, { streamCountMax: 1, heartbeatMs: 60_000 });
      const stream = await connect(url);
      await stream.next();
      assert.equal((await fetch(url)).status, 503);

      stream.leave();

      let next = await connect(url);
      while (next.response.status === 503) next = await connect(url);
      assert.equal(next.response.status, 200);
      next.leave();
    });

    test('are rejected for a project that does not exist', async (t) => {
      const { url } = await open(t, engine);
      const response = await fetch(`${url}?project=none`);
      assert.deepEqual([response.status, await response.text()], [404, 'Project with name none not found']);
    });
  });
}
