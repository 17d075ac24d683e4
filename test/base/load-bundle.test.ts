import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TEST_FOLDER } from '../fixtures/test-folder.ts';

const BUNDLE = fileURLToPath(new URL('../../server/', import.meta.url));
const CHECK = `
  const { createHash } = require('node:crypto');
  const { readFileSync } = require('node:fs');
  const { Script } = require('node:vm');
  for (const path of process.argv.slice(1)) {
    const [source, kept] = [readFileSync(path.slice(0, -3)), readFileSync(path)];
    const digest = createHash('sha1').update(source).digest();
    const wrapped = '(function (exports, require, module, __filename, __dirname) { ' + source.toString('latin1') + '\\n})';
    const script = new Script(wrapped, { cachedData: kept.subarray(digest.length) });
    const isOwn = digest.equals(kept.subarray(0, digest.length));
    console.log(isOwn && script.cachedDataRejected === false ? 'accepted' : path);
  }`;
const kept = readdirSync(BUNDLE).filter((name) => name.endsWith('.v8'));

test('the build has stored the code of each thread of every server, and of the one of code evaluators', () => {
  const threads = ['main', 'store-worker', 'decode-worker', 'code-worker'];
  for (const name of threads) assert.ok(kept.includes(`${name}.bundle.cjs.v8`), name);
});

test('V8 accepts all code that the build has stored', () => {
  // In a process of its own, because this one may have flags of V8, which are part of what V8 compares.
  const args = [CHECK, ...kept.map((name) => join(BUNDLE, name))];
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', ...args], { encoding: 'utf8' });

  assert.equal(stdout, 'accepted\n'.repeat(kept.length), stderr);
});

test('a file of the bundle runs with the code that is stored for the V8 flags of its process', (t) => {
  const folder = mkdtempSync(join(TEST_FOLDER, 'bundle-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(join(BUNDLE, 'load-bundle.cjs'), join(folder, 'load-bundle.cjs'));
  writeFileSync(join(folder, 'part.cjs'), 'exports.sum = (a, b) => a + b;');
  const run = (flags: readonly string[], code: string) => {
    const load = `const vm = require('node:vm');
      let script;
      vm.Script = class extends vm.Script { constructor(...args) { super(...args); script = this; } };
      require('./load-bundle.cjs');
      require('./part.cjs').sum(1, 2);`;
    return execFileSync(process.execPath, [...flags, '-e', load + code], { cwd: folder, encoding: 'utf8' });
  };
  const keep = `const { readFileSync, writeFileSync } = require('node:fs');
    const digest = require('node:crypto').createHash('sha1').update(readFileSync('part.cjs')).digest();
    const path = 'part.cjs.v8.' + require('node:v8').cachedDataVersionTag();
    writeFileSync(path, Buffer.concat([digest, script.createCachedData()]));`;
  const print = 'console.log(script.cachedDataRejected);';
  const flags = ['--max-semi-space-size=8'];

  run(flags, keep);

  assert.equal(run(flags, print), 'false\n');
  assert.equal(run([], print), 'undefined\n');
});

test('files of the bundle are ASCII, which is how the server reads them', () => {
  for (const name of readdirSync(BUNDLE).filter((name) => name.endsWith('.cjs'))) {
    const lines = readFileSync(join(BUNDLE, name), 'latin1').split('\n');
    // Comments may have other characters, which change no value.
    const others = lines.filter((line) => /[^\0-\x7f]/.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line));

    assert.deepEqual(others, [], name);
  }
  assert.ok(existsSync(join(BUNDLE, 'load-bundle.cjs')));
});
