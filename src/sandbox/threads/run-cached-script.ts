import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/**
 * Runs a CommonJS file with the code that V8 has compiled from it at build time, in the file beside it with the ending `.cache`. V8
 * ignores that of another version or source, and compiles what it needs.
 */
export function runCachedScript(file: string): Script {
  const script = new Script(Module.wrap(readFileSync(file, 'utf8')), { filename: file, cachedData: readCache(file) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return script;
}

function readCache(file: string): Buffer | undefined {
  try {
    return readFileSync(`${file}.cache`);
  } catch {
    return undefined;
  }
}
