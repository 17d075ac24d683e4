import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

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

test('the build has kept the code of each thread that every server starts', () => {
  for (const name of ['main', 'store-worker', 'decode-worker']) assert.ok(kept.includes(`${name}.bundle.cjs.v8`), name);
});

test('V8 accepts all code that the build has kept', () => {
  // In a process of its own, because this one may have flags of V8, which are part of what V8 compares.
  const args = [CHECK, ...kept.map((name) => join(BUNDLE, name))];
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', ...args], { encoding: 'utf8' });

  assert.equal(stdout, 'accepted\n'.repeat(kept.length), stderr);
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
