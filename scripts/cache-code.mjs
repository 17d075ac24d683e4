#!/usr/bin/env node
// Starts the bundled server once, sends it some requests, and keeps what V8 has compiled beside the files of the bundle, so that later
// starts need not compile it again (src/base/load-bundle.ts). Without it, the server runs as well and starts slower. V8 accepts the code
// only with the same flags: run with flags of V8, this program keeps the code for them beside that of the build, once a build.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';

const BUNDLE = fileURLToPath(new URL('../dist/server/', import.meta.url));
const RECORDER = fileURLToPath(new URL('record-code.cjs', import.meta.url));
/** Threads of every server, and that of code evaluators. */
const THREADS = ['main', 'store-worker', 'decode-worker', 'code-worker'];
const SOURCES = {
  TYPESCRIPT: 'export const evaluate = ({ n }: { n: number }): object => ({ score: n });',
  PYTHON: 'def evaluate(n: int):\n  return {"score": n}',
};
const READY_MS_MAX = 60_000;
const SAVED_MS_MAX = 10_000;

const V8_FLAGS = process.execArgv;
const ENDING = V8_FLAGS.length === 0 ? '.v8' : `.v8.${cachedDataVersionTag()}`;
if (V8_FLAGS.length > 0 && isSaved(readdirSync(BUNDLE))) process.exit();

const dir = mkdtempSync(join(tmpdir(), 'spandrel-code-'));
const isKept = ([name]) => !/^(SERVICE|PHOENIX|NODE)_/.test(name);
const server = spawn(process.execPath, [...V8_FLAGS, '--require', RECORDER, join(BUNDLE, 'main.js'), 'serve'], {
  env: {
    ...Object.fromEntries(Object.entries(process.env).filter(isKept)),
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: '0',
    SERVICE_GRPC_PORT: '0',
    SERVICE_WORKING_DIR: dir,
    SERVICE_LOGGING_MODE: 'structured',
    // Otherwise, an idle thread of Piscina receives nothing but tasks.
    PISCINA_DISABLE_ATOMICS: '1',
    RECORDED_CODE_ENDING: ENDING,
  },
  stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
});
const output = [];
server.stderr.on('data', (text) => output.push(text));
const ended = new Promise((resolve) => server.once('error', resolve).once('exit', resolve));
try {
  const url = await untilReady();
  server.stdout.resume();
  await sendRequests(url);
  server.send('save');
  await untilSaved();
} catch (error) {
  console.error(`The server will start slower, because its compiled code could not be kept: ${error.message}`);
  console.error(output.join(''));
}
server.kill('SIGTERM');
await ended;
rmSync(dir, { recursive: true, force: true, maxRetries: 20 });

/** Address of the server, which its log contains. */
async function untilReady() {
  const timer = setTimeout(() => server.kill('SIGKILL'), READY_MS_MAX);
  for await (const line of createInterface(server.stdout)) {
    output.push(`${line}\n`);
    const { httpUrl } = line.startsWith('{') ? JSON.parse(line) : {};
    if (httpUrl === undefined) continue;
    clearTimeout(timer);
    return httpUrl;
  }
  clearTimeout(timer);
  throw new Error('the server ended');
}

async function sendRequests(url) {
  const post = (path, body) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const time = `${Date.now()}000000`;
  const attributes = [
    { key: 'openinference.span.kind', value: { stringValue: 'LLM' } },
    { key: 'llm.model_name', value: { stringValue: 'gpt-4o' } },
    { key: 'llm.token_count.prompt', value: { intValue: '10' } },
    { key: 'input.value', value: { stringValue: 'Hello' } },
  ];
  const span = { traceId: '1'.repeat(32), spanId: '1'.repeat(16), name: 'chat', kind: 1, attributes };
  const times = { startTimeUnixNano: time, endTimeUnixNano: time };
  await post('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, ...times }] }] }] });
  for (const path of ['/readyz', '/', '/v1/projects', '/v1/projects/default/spans']) await fetch(url + path);
  await post('/graphql', { query: '{ projects(first: 5) { edges { node { id name traceCount recordCount } } } }' });
  const previews = Object.entries(SOURCES).map(([language, sourceCode]) => ({
    evaluator: { inlineCodeEvaluator: { name: 'one', language, sourceCode, outputConfigs: [] } },
    ...{ context: { n: 1 }, inputMapping: { literalMapping: {}, pathMapping: {} } },
  }));
  const query = 'mutation ($input: EvaluatorPreviewsInput!) { evaluatorPreviews(input: $input) { results { error } } }';
  await post('/graphql', { query, variables: { input: { previews } } });
}

async function untilSaved() {
  const deadline = Date.now() + SAVED_MS_MAX;
  while (!isSaved(readdirSync(BUNDLE))) {
    if (Date.now() > deadline) throw new Error(`the threads wrote nothing within ${SAVED_MS_MAX / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Files are renamed when they are complete. */
function isSaved(names) {
  const areThere = THREADS.every((name) => names.includes(`${name}.bundle.cjs${ENDING}`));
  return areThere && !names.some((name) => name.endsWith('.new'));
}
