// Loaded into each thread of the server that scripts/cache-code.mjs starts. When the parent process asks for it, writes what V8 has
// compiled of each file of the bundle, for src/base/load-bundle.ts.
const { createHash } = require('node:crypto');
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const vm = require('node:vm');
const workerThreads = require('node:worker_threads');

const { BroadcastChannel, isMainThread, threadId } = workerThreads;

const ending = process.env.RECORDED_CODE_ENDING;
const scripts = new Map();

vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    if (options?.filename?.endsWith('.cjs')) scripts.set(options.filename, this);
  }
};

/** Threads that run without the server's options and environment load this file as well. */
workerThreads.Worker = class extends workerThreads.Worker {
  constructor(file, options) {
    super(file, { ...options, execArgv: process.execArgv, env: process.env });
  }
};

const channel = new BroadcastChannel('record-code');
channel.onmessage = save;
channel.unref();
if (isMainThread) {
  process.once('message', () => {
    channel.postMessage('save');
    save();
  });
}

function save() {
  for (const [path, script] of scripts) {
    const digest = createHash('sha1').update(readFileSync(path)).digest();
    const written = `${path}${ending}.${threadId}.new`;
    writeFileSync(written, Buffer.concat([digest, script.createCachedData()]));
    renameSync(written, `${path}${ending}`);
  }
}
