import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../src/base/log.ts';
import { readConfig } from '../src/config/config.ts';
import { move } from '../src/offline.ts';

test('move reports that there is nothing to move before it opens the target', async () => {
  const { config } = readConfig({ env: { SERVICE_WORKING_DIR: join(tmpdir(), 'spandrel-nowhere') } });

  await assert.rejects(move(config, 'postgresql://127.0.0.1:1/x', silentLog, assert.fail), /nothing to move/);
});
