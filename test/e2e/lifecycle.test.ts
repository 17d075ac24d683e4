import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { newLedger } from './crash/ledger.ts';
import { startLoad } from './crash/load.ts';
import { verify } from './crash/verify.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { openGrpcSender, openHttpSender } from './otlp-sender.ts';
import { eventually, getJson, listSpans, spansOnceThere } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const oneSpan = (name: string, changes: { readonly input?: string } = {}) => ({
  traceId: Buffer.from(name.padEnd(16).slice(-16)),
  spanId: Buffer.from(name.padEnd(8).slice(-8)),
  name,
  startTimeUnixNano: 1_770_000_000_000_000_000n,
  endTimeUnixNano: 1_770_000_001_000_000_000n,
  attributes: { 'input.value': changes.input ?? '' },
});

describe('a server from start to end', () => {
  test('starts on an empty directory with an empty default project', async (t) => {
    const { server } = await startFor(t);

    const { data } = await getJson<{ data: { name: string }[] }>(`${server.url}/v1/projects`);

    assert.deepEqual(
      data.map((project) => project.name),
      ['default'],
    );
    assert.deepEqual(await listSpans(server.url, 'default'), []);
    const version = await fetch(`${server.url}/arize_phoenix_version`);
    assert.match(await version.text(), /^\d+\.\d+\.\d+$/);
  });

  test('keeps its data after SIGTERM and a restart', async (t) => {
    const { server, dataDir } = await startFor(t);
    const http = openHttpSender(server.url);
    assert.ok(
      (await http.send(encodeTraceRequest({ project: 'kept', spans: [oneSpan('over a restart')] }))).isAcknowledged,
    );
    http.close();

    assert.deepEqual(await server.stop(), { code: 0, signal: null });
    const { server: again } = await startFor(t, dataDir);

    const [span] = await spansOnceThere(again.url, 'kept', 1);
    assert.equal(span?.name, 'over a restart');
  });

  test('writes an annotation to the named span, also when the journal is replayed', async (t) => {
    const { server, dataDir } = await startFor(t);
    const http = openHttpSender(server.url);
    const spans = ['one trace', 'other trace'].map((name) => ({
      ...oneSpan(name),
      spanId: Buffer.from('one span'),
    }));
    for (const span of spans) {
      assert.ok((await http.send(encodeTraceRequest({ project: 'named', spans: [span] }))).isAcknowledged);
    }
    http.close();
    const stored = await spansOnceThere(server.url, 'named', 2);
    const older = stored.find(({ name }) => name === 'one trace')!.id;
    const ask = async (url: string, query: string) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
      return response.json();
    };
    const annotation = `{spanId:"${older}",name:"kind",label:"kept",annotatorKind:CODE,metadata:{},source:API}`;
    const made = await ask(
      server.url,
      `mutation{createSpanAnnotations(input:[${annotation}]){spanAnnotations{span{id}}}}`,
    );
    assert.deepEqual(made, { data: { createSpanAnnotations: { spanAnnotations: [{ span: { id: older } }] } } });

    await server.kill9();
    const { server: again } = await startFor(t, dataDir);

    const nodes = stored.map(({ id }, index) => `n${index}:node(id:"${id}"){...on Span{id spanAnnotations{label}}}`);
    await eventually(async () =>
      assert.deepEqual(await ask(again.url, `{${nodes.join(' ')}}`), {
        data: Object.fromEntries(
          stored.map(({ id }, index) => [
            `n${index}`,
            { id, spanAnnotations: id === older ? [{ label: 'kept' }] : [] },
          ]),
        ),
      }),
    );
  });

  test('loses nothing that it acknowledged while SIGTERM drained it under load', async (t) => {
    const { server, dataDir } = await startFor(t);
    const ledger = newLedger();
    const senders = [openHttpSender(server.url), openGrpcSender(server.grpcAddress)];
    const load = startLoad({ ledger, random: new SeededRandom(7), round: 0, senders, concurrency: 4 });
    await eventually(async () =>
      assert.ok(ledger.requests.filter((one) => one.outcome === 'acknowledged').length >= 10),
    );

    const exit = await server.stop();
    await load.end();
    for (const sender of senders) sender.close();
    const { server: again } = await startFor(t, dataDir);

    assert.deepEqual(exit, { code: 0, signal: null });
    const acknowledged = ledger.requests.filter((one) => one.outcome === 'acknowledged').flatMap((one) => one.spans);
    await eventually(async () => {
      const { spanCount } = await verify(again.url, ledger, 'all');
      assert.ok(spanCount >= acknowledged.length);
    });
  });

  test('rejects a second server on a directory with a reason, and does not disturb the first', async (t) => {
    const { server, dataDir } = await startFor(t);

    const second = await startServer({ dataDir, waitUntilReady: false });
    t.after(() => second.kill9());
    const exit = await second.ended();

    assert.notEqual(exit.code, 0);
    assert.match(second.output(), /use|lock|running|another/i);
    const http = openHttpSender(server.url);
    assert.ok(
      (await http.send(encodeTraceRequest({ project: 'first', spans: [oneSpan('still at work')] }))).isAcknowledged,
    );
    http.close();
    await spansOnceThere(server.url, 'first', 1);
  });

  test('names the port that is in use, and exits', async (t) => {
    const { server } = await startFor(t);
    const dataDir = await makeDataDir();
    t.after(() => removeDataDir(dataDir));

    const second = await startServer({ dataDir, ports: server.ports, waitUntilReady: false });
    t.after(() => second.kill9());
    const exit = await second.ended();

    assert.notEqual(exit.code, 0);
    assert.match(second.output(), new RegExp(`${server.ports.http}|${server.ports.grpc}`));
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  });

  const noTmpfs = reasonWithoutTmpfs();
  test('acknowledges nothing while the disk is full, serves reads, and accepts spans again when there is free space', {
    skip: noTmpfs,
  }, async (t) => {
    const dir = await makeDataDir();
    const disk = `${dir}/disk`;
    await mkdir(disk);
    mount(disk);
    t.after(async () => {
      spawnSync('umount', ['-l', disk]);
      await removeDataDir(dir);
    });
    const server = await startServer({ dataDir: disk });
    t.after(() => server.kill9());
    const http = openHttpSender(server.url);
    t.after(() => http.close());
    const send = (name: string, input = '') =>
      http.send(encodeTraceRequest({ project: 'disk', spans: [oneSpan(name, { input })] }));
    const acknowledged: string[] = [];
    assert.ok((await send('before')).isAcknowledged);
    acknowledged.push('before');
    await spansOnceThere(server.url, 'disk', 1);

    const ballast = `${disk}/ballast`;
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M'], { stdio: 'ignore' });
    let refusal = 0;
    for (let index = 0; index < 400 && refusal === 0; index++) {
      const name = `full ${String(index).padStart(3, '0')}`;
      // Random text, or the store would press it to nothing.
      const result = await send(name, Buffer.from(new SeededRandom(index).bytes(500_000)).toString('base64'));
      if (result.isAcknowledged) acknowledged.push(name);
      else refusal = result.status;
    }
    assert.ok(refusal === 503 || refusal === 507, `a full disk was met with ${refusal}`);
    assert.equal(server.exit(), undefined, `the server ended:\n${server.output().slice(-3_000)}`);
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);

    await eventually(async () => {
      const names = (await listSpans(server.url, 'disk')).map((span) => span.name);
      assert.ok(names.includes('before'), `reading while the disk is full gave ${names.length} spans`);
    });

    spawnSync('rm', [ballast]);
    await eventually(async () => assert.ok((await send('after')).isAcknowledged));
    acknowledged.push('after');
    await eventually(async () => {
      const names = (await listSpans(server.url, 'disk')).map((span) => span.name).sort();
      for (const name of acknowledged) assert.ok(names.includes(name), `'${name}' was acknowledged and is not there`);
      assert.equal(new Set(names).size, names.length);
    });
  });
});

const TMPFS_MIB = 900;

function mount(path: string): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${TMPFS_MIB}m`, 'tmpfs', path], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
}

/** Mounting needs root and the capability to mount, which many containers lack. */
function reasonWithoutTmpfs(): string | false {
  if (process.getuid?.() !== 0) return 'mounting a small disk needs root';
  const probe = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { encoding: 'utf8' });
  return probe.status === 0
    ? false
    : `mounting a small disk is not allowed here: ${probe.stderr?.trim() ?? 'no unshare'}`;
}

interface TestScope {
  after(hook: () => Promise<unknown>): void;
}

/** A server that ends with the test, on a directory of its own unless one is given. */
async function startFor(t: TestScope, dataDir?: string): Promise<{ server: ServerProcess; dataDir: string }> {
  const dir = dataDir ?? (await makeDataDir());
  const server = await startServer({ dataDir: dir });
  t.after(async () => {
    await server.kill9();
    await removeDataDir(dir);
  });
  return { server, dataDir: dir };
}
