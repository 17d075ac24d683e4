import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openTestJournal, readAll, tempDir } from './journal-fixtures.ts';

const SENDER = fileURLToPath(new URL('./journal-sender.js', import.meta.url));

test('a journal has every acknowledged record, in order, after kill -9 of its process', async () => {
  for (const lineCount of [1, 20, 60]) {
    const dir = tempDir();
    const child = spawn(process.execPath, [SENDER, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
    let lastAcknowledged = -1;
    const exit = once(child, 'exit');
    let seen = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      lastAcknowledged = Number(line);
      if (++seen === lineCount) child.kill('SIGKILL');
    }
    await exit;

    const journal = await openTestJournal(dir);
    const { texts, damage } = readAll(dir, journal.durablePosition);
    await journal.close();

    assert.deepEqual(damage, []);
    const serials = texts.map((text) => Number.parseInt(text, 10));
    assert.deepEqual(serials, Array.from(serials.keys()));
    assert.ok(serials.length > lastAcknowledged, `${serials.length} records, ${lastAcknowledged} acknowledged last`);
  }
});
