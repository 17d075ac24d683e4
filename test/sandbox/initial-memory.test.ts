import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withInitialMemory } from '../../src/sandbox/code/initial-memory.ts';
import { wasm } from '../../src/sandbox/code/web-assembly.ts';

/** A module that exports a memory of 259 pages, after a custom section. */
const MODULE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[0, 3, 1, 0x61, 9],
  ...[5, 4, 1, 0, 0x83, 2],
  ...[7, 5, 1, 1, 0x6d, 2, 0],
]);

const pagesOf = (bytes: Uint8Array): number => {
  const { m } = new wasm.Instance(new wasm.Module(bytes), {}).exports as { m: { buffer: ArrayBuffer } };
  return m.buffer.byteLength / 65_536;
};

test('an instance starts with the given memory, and the module itself is unchanged', () => {
  assert.equal(pagesOf(MODULE), 259);
  for (const pages of [1, 32, 127, 128, 16_383]) assert.equal(pagesOf(withInitialMemory(MODULE, pages)), pages);
  assert.equal(pagesOf(MODULE), 259);
});

test('a number that does not fit, and bytes without a memory, are rejected', () => {
  assert.throws(() => withInitialMemory(MODULE, 16_384), /16384 does not fit into 2 bytes/);
  assert.throws(() => withInitialMemory(MODULE.slice(0, 8), 1), /no memory of its own/);
  assert.throws(() => withInitialMemory(Uint8Array.of(...MODULE.slice(0, 8), 1, 255, 255, 255, 255, 255, 255), 1), {
    message: 'The module is not WebAssembly',
  });
});
