import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import vm from 'node:vm';

// The first file that each thread of the bundled server runs. Afterwards, `require` runs the other files of the bundle with what V8
// compiled when scripts/cache-code.mjs started the server once, instead of compiling them again
// (docs/decisions/start-and-packaging.md). Node has a cache of its own from version 22 on, in a folder that a server may not be
// able to write.

/**
 * Beside a file of the bundle: the digest of its source, then the data of V8. The second file is of the build. The first one is for the
 * flags of V8 with which this process runs, if scripts/cache-code.mjs has run with them, too.
 */
const CACHE_ENDINGS = [`.v8.${cachedDataVersionTag()}`, '.v8'];
const DIGEST_BYTES = 20;
const FOLDER = import.meta.dirname;
/** Node's own wrapper. The negative offset keeps the columns of stack traces. */
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'] as const;

const { extensions } = createRequire(import.meta.url);

extensions['.cjs'] = (module, path) => {
  if (dirname(path) !== FOLDER) {
    extensions['.js']?.(module, path);
    return;
  }
  const bytes = readFileSync(path);
  // The bundler escapes all other characters: a string of bytes takes half of the memory.
  const source = bytes.toString('latin1');
  const cachedData = readCache(path, bytes);
  const script = new vm.Script(WRAPPER.join(source), {
    filename: path,
    columnOffset: -WRAPPER[0].length,
    // V8 ignores the data of another version of V8, or of other flags.
    ...(cachedData && { cachedData }),
  });
  script.runInThisContext()(module.exports, createRequire(path), module, path, FOLDER);
};

/** V8 compares only the length of the source. */
function readCache(path: string, source: Uint8Array): Uint8Array | undefined {
  for (const ending of CACHE_ENDINGS) {
    let cache: Buffer;
    try {
      cache = readFileSync(path + ending);
    } catch {
      continue;
    }
    const digest = createHash('sha1').update(source).digest();
    if (digest.equals(cache.subarray(0, DIGEST_BYTES))) return cache.subarray(DIGEST_BYTES);
  }
  return undefined;
}
