// Lets Node run the TypeScript sources themselves, without a build: node --import ./scripts/ts-loader.mjs --test test/<file>
//
// Types are only removed, so every version of Node behaves the same (Node 20 cannot do it itself), and lines stay where they are.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from 'sucrase';

// The thread of the hooks loads this file, too.
if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  const { pathname } = new URL(url);
  if (!/^file:/.test(url) || !/\.tsx?$/.test(pathname)) return nextLoad(url, context);
  const { code } = transform(readFileSync(fileURLToPath(url), 'utf8'), {
    transforms: pathname.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'],
    jsxRuntime: 'automatic',
    production: true,
    disableESTransforms: true,
    keepUnusedImports: true,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
