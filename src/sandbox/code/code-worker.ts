import { fileURLToPath } from 'node:url';
import { runCachedScript } from '../threads/run-cached-script.ts';

// The thread of code. `thread-sandbox.ts` starts it, and scripts/bundle-server.mjs caches what V8 compiles for it.

export const script = runCachedScript(fileURLToPath(new URL('./code-runtime.cjs', import.meta.url)));
