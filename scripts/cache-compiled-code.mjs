// Thread of bundle-server.mjs: runs the thread of code of the bundle, and writes what V8 has compiled for it when it gets a
// message over the port of its worker data.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';

const out = workerData.get('out');
const { script } = await import(pathToFileURL(join(out, 'code-worker.js')));
workerData.get('port').once('message', () => {
  writeFileSync(join(out, 'code-runtime.cjs.cache'), script.createCachedData());
  process.exit();
});
