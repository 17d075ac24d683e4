import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ROOT } from './repository.ts';

test('docs/access.md lists the right of every route, field and method', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/print-rights.mjs', '--check'], { cwd: ROOT });
  assert.equal(status, 0, String(stderr));
});
