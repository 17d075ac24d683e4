import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lockDataDirectory } from '../../../src/ingest/data-directory/data-directory-lock.ts';
import { processIdentity } from '../../../src/ingest/data-directory/process-identity.ts';
import { tempDir } from '../journal/journal-fixtures.ts';

const HOLDER = fileURLToPath(new URL('./lock-holder.js', import.meta.url));

/** A process that tried to take the lock, and its output. */
async function tryInProcess(dir: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [HOLDER, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, said };
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

describe('the lock of a data directory', () => {
  test('admits one server, and names it to the next one', async () => {
    const dir = tempDir();
    const lock = await lockDataDirectory(dir);

    await assert.rejects(lockDataDirectory(dir), (error: Error) => {
      assert.ok(error.message.includes(`process ${process.pid}`) && error.message.includes(dir), error.message);
      return true;
    });
    await lock.release();
    await (await lockDataDirectory(dir)).release();
  });

  test('works with a path of any length', async () => {
    const dir = join(tempDir(), 'x'.repeat(120));
    mkdirSync(dir);
    const lock = await lockDataDirectory(dir);

    await assert.rejects(lockDataDirectory(dir), /Another server/);
    await lock.release();
  });

  test('is granted to exactly one of several concurrent processes, and to the next one after kill -9', async () => {
    const dir = tempDir();
    for (let round = 0; round < 3; round++) {
      const tries = await Promise.all(Array.from({ length: 4 }, () => tryInProcess(dir)));
      const holders = tries.filter(({ said }) => said === 'locked');

      assert.equal(holders.length, 1, tries.map(({ said }) => said).join('\n'));
      for (const { said } of tries) {
        if (said !== 'locked') assert.match(said, new RegExp(`process ${holders[0]!.child.pid}\\b`));
      }
      await Promise.all(tries.map(({ child }) => kill(child)));
    }
  });

  test('is held by a process that is stopped', async () => {
    const dir = tempDir();
    const { child, said } = await tryInProcess(dir);
    child.kill('SIGSTOP');

    assert.equal(said, 'locked');
    await assert.rejects(lockDataDirectory(dir), /Another server/);
    await kill(child);
    await (await lockDataDirectory(dir)).release();
  });

  test('is granted once when many processes find it stale (random)', async () => {
    const dir = tempDir();
    for (let round = 0; round < 20; round++) {
      const tries = await Promise.allSettled(Array.from({ length: 10 }, () => lockDataDirectory(dir)));
      const winners = tries.filter((result) => result.status === 'fulfilled');

      assert.equal(winners.length, 1);
      await winners[0]!.value.release();
    }
    assert.deepEqual(readdirSync(dir).length, 1);
  });

  for (const { what, change, isFree } of [
    { what: 'is free when its process number went to another process', change: { identity: 'before' }, isFree: true },
    { what: 'is held while the process of its number is the same', change: {}, isFree: false },
    { what: 'is free when no process has its number', change: { pid: 2 ** 22 + 1 }, isFree: true },
  ]) {
    test(`without a socket, ${what}`, async () => {
      const dir = tempDir();
      await (await lockDataDirectory(dir)).release();
      const path = join(dir, readdirSync(dir)[0]!);
      const holder = JSON.parse(readFileSync(path, 'utf8'));
      writeFileSync(path, JSON.stringify({ ...holder, socket: null, isReleased: false, ...change }));

      if (isFree) await (await lockDataDirectory(dir)).release();
      else await assert.rejects(lockDataDirectory(dir), /Another server/);
    });
  }

  test('ignores a lock file that power loss left empty', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, '.lock-7.json'), '');

    await (await lockDataDirectory(dir)).release();
  });

  test('distinguishes processes with the same number by their start', async () => {
    assert.equal(await processIdentity(process.pid), await processIdentity(process.pid));
    assert.notEqual(await processIdentity(process.pid), await processIdentity(process.ppid));
    assert.equal(await processIdentity(2 ** 22 + 1), undefined);
  });
});
