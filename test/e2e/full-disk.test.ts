import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { span } from './odd-spans.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { type OtlpSender, openHttpSender } from './otlp-sender.ts';
import { getJson } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const MiB = 2 ** 20;
const DISK_MIB = 512;
const SPAN_BYTES = 200_000;
const REQUEST_SPAN_COUNT = 20;

interface SmallDisk {
  readonly server: ServerProcess;
  readonly sender: OtlpSender;
  readonly dir: string;
  freeBytes(): number;
}

/** A server whose data is on its own file system. Undefined when this user may not mount one. */
async function openSmallDisk(t: TestContext): Promise<SmallDisk | undefined> {
  const mountPoint = await makeDataDir({ isEmpty: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', mountPoint], { stdio: 'ignore' });
  } catch {
    await removeDataDir(mountPoint);
    return undefined;
  }
  const dir = join(mountPoint, 'data');
  mkdirSync(dir);
  const server = await startServer({ dataDir: dir, env: { SERVICE_JOURNAL_GRACE_SECONDS: '0' } });
  const sender = openHttpSender(server.url, 4);
  t.after(async () => {
    sender.close();
    await server.kill9();
    execFileSync('umount', ['-l', mountPoint]);
    await removeDataDir(mountPoint);
  });
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  };
  return { server, sender, dir, freeBytes };
}

/** Incompressible text. */
const request = (project: string): Uint8Array =>
  encodeTraceRequest({
    project,
    spans: Array.from({ length: REQUEST_SPAN_COUNT }, () => ({
      ...span(),
      attributes: { 'input.value': randomBytes(SPAN_BYTES * 0.75).toString('base64') },
    })),
  });

/** Sends until three requests in a row are rejected. Returns the number of acknowledged spans. */
async function sendUntilRejected({ sender }: SmallDisk, project: string, senderCount: number): Promise<number> {
  let acknowledgedCount = 0;
  const send = async () => {
    for (let rejectedCount = 0; rejectedCount < 3; ) {
      const { isAcknowledged, status, retryAfterMs, message } = await sender.send(request(project));
      if (isAcknowledged) acknowledgedCount += REQUEST_SPAN_COUNT;
      else {
        assert.equal(status, 503, message);
        assert.ok(retryAfterMs !== undefined, 'it says when to come again');
        rejectedCount++;
      }
    }
  };
  await Promise.all(Array.from({ length: senderCount }, send));
  return acknowledgedCount;
}

const countSpans = async (server: ServerProcess, project: string): Promise<number> => {
  const query = `{ getProjectByName(name: ${JSON.stringify(project)}) { recordCount } }`;
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as { data: { getProjectByName: { recordCount: number } | null } | null };
  return data?.getProjectByName?.recordCount ?? 0;
};

/** While `/readyz` returns 200, the count grows. In the end it is the number of acknowledged spans. */
async function expectCount(server: ServerProcess, project: string, count: number): Promise<void> {
  let greatest = 0;
  for (const deadline = Date.now() + 60_000; ; await delay(100)) {
    const wasReady = (await fetch(`${server.url}/readyz`)).status === 200;
    const found = await countSpans(server, project);
    const isReady = (await fetch(`${server.url}/readyz`)).status === 200;
    if (wasReady && isReady) {
      assert.ok(found >= greatest, `${found} spans where ${greatest} were before, and /readyz says 200`);
      greatest = found;
      if (found === count) return;
    }
    assert.ok(Date.now() < deadline, `${found} of ${count} spans, ready: ${isReady}`);
  }
}

async function untilAcknowledged({ sender }: SmallDisk, project: string): Promise<number> {
  for (const deadline = Date.now() + 60_000; ; await delay(200)) {
    if ((await sender.send(request(project))).isAcknowledged) return REQUEST_SPAN_COUNT;
    assert.ok(Date.now() < deadline, 'it takes spans again');
  }
}

const deleteProject = async (server: ServerProcess, project: string): Promise<void> => {
  const response = await fetch(`${server.url}/v1/projects/${encodeURIComponent(project)}`, { method: 'DELETE' });
  assert.equal(response.status, 204, await response.text());
};

test('no data is lost and reads stay correct when spans fill the disk; a deletion frees space', async (t) => {
  const disk = await openSmallDisk(t);
  if (!disk) return t.skip('mounting a small disk needs root');
  const { server } = disk;
  // More than the store can apply at once, so that the journal runs ahead.
  const first = await sendUntilRejected(disk, 'first', 4);

  assert.ok(first > 0);
  await expectCount(server, 'first', first);
  assert.doesNotMatch(server.output(), /The store thread ended/);
  // The store has made its checkpoint in the reserved space. Afterwards there may be space for spans again.
  const second = await sendUntilRejected(disk, 'second', 1);
  await expectCount(server, 'second', second);
  await expectCount(server, 'first', first);

  await deleteProject(server, 'first');
  const third = await untilAcknowledged(disk, 'third');
  await expectCount(server, 'third', third);
  await expectCount(server, 'second', second);
  return undefined;
});

test('a foreign file that fills the disk stops only acknowledgements, which continue when it is deleted', async (t) => {
  const disk = await openSmallDisk(t);
  if (!disk) return t.skip('mounting a small disk needs root');
  const { server, dir, freeBytes } = disk;
  let sent = await untilAcknowledged(disk, 'p');
  const ballast = join(dir, '..', 'ballast');
  for (let size = freeBytes(); size > 64 * 1_024; size = freeBytes()) {
    try {
      writeFileSync(ballast, Buffer.alloc(Math.min(size, 64 * MiB)), { flag: 'a' });
    } catch {
      break;
    }
  }

  sent += await sendUntilRejected(disk, 'p', 2);
  // Long enough for the store to try a checkpoint.
  await delay(7_000);
  await expectCount(server, 'p', sent);
  assert.doesNotMatch(server.output(), /The store thread ended/);
  const { data } = await getJson<{ data: { backlog_bytes: number } }>(`${server.url}/v1/ingest/status`);
  assert.ok(data.backlog_bytes < 64 * MiB);

  rmSync(ballast);
  sent += await untilAcknowledged(disk, 'p');
  await expectCount(server, 'p', sent);
  await server.kill9();
  const again = await startServer({ dataDir: server.dataDir, ports: server.ports });
  t.after(() => again.kill9());
  await expectCount(again, 'p', sent);
  return undefined;
});
