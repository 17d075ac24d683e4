import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { mapStackTraces } from '../../src/base/source-maps.ts';

test('stack traces name the source of a file with a map, and other files as they are', (t) => {
  const before = Error.prepareStackTrace;
  const dir = mkdtempSync(join(tmpdir(), 'spandrel-maps-'));
  t.after(() => {
    Error.prepareStackTrace = before;
    rmSync(dir, { recursive: true });
  });
  const makeError = "exports.makeError = () => new TypeError('wrong');\n";
  // The third line of the source became the first.
  const map = { version: 3, sources: ['src/made.ts'], names: [], mappings: 'AAEA' };
  writeFileSync(join(dir, 'mapped.cjs'), makeError);
  writeFileSync(join(dir, 'mapped.cjs.map'), JSON.stringify(map));
  writeFileSync(join(dir, 'plain.cjs'), makeError);
  writeFileSync(join(dir, 'broken.cjs'), makeError);
  writeFileSync(join(dir, 'broken.cjs.map'), '{');
  mapStackTraces();
  const require = createRequire(join(dir, 'here.cjs'));
  const linesOf = (name: string) => String(require(`./${name}.cjs`).makeError().stack).split('\n');

  const [head, line = ''] = linesOf('mapped');
  assert.equal(head, 'TypeError: wrong');
  assert.ok(line.includes(`${join(dir, 'src/made.ts')}:3:`), line);
  for (const name of ['plain', 'broken']) {
    const [, line = ''] = linesOf(name);
    assert.ok(line.includes(`${join(dir, name)}.cjs:1:`), line);
  }
});
