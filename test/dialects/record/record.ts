/**
 * Records what tracing libraries really send: runs a program of each against a fake vendor, and writes the bytes of its OTLP requests.
 *
 *   node --import ./scripts/ts-loader.mjs test/dialects/record/record.ts [--node PATH] [--environments DIRECTORY] LIBRARY …
 *
 * Runs by hand. It installs the pinned versions beside the program into an environment outside of the repository the first time.
 * Without a library it records all of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { ProtobufWriter } from '../../../src/otlp/protobuf/protobuf-writer.ts';
import { WireReader } from '../../../src/otlp/protobuf/wire-reader.ts';
import type { VendorAnswer } from '../../vendor-endpoint/vendor-answer.ts';
import type { VendorCall } from '../../vendor-endpoint/vendor-call.ts';
import { startVendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string', default: process.execPath },
    environments: { type: 'string', default: join(tmpdir(), 'spandrel-dialects') },
  },
});
const PROGRAMS = join(import.meta.dirname, 'programs');
const USAGE = { prompt: 1200, cacheRead: 800, completion: 60, reasoning: 20 };

/** Calls the first tool until its result is there. */
function answer({ prompt, bodyText }: VendorCall): VendorAnswer {
  if (prompt.lastText.includes('Fail')) return { fault: { type: 'status', status: 400, message: 'No.' } };
  const [tool] = prompt.tools;
  if (tool !== undefined && !bodyText.includes('21 degrees'))
    return { toolCalls: [{ id: 'call_1', name: tool.name, arguments: { city: 'Paris' } }], usage: USAGE };
  return { text: tool === undefined ? 'Hello, Paris!' : 'It is sunny in Paris.', usage: USAGE };
}

async function record(library: string): Promise<void> {
  const source = join(PROGRAMS, library);
  const environment = join(values.environments, library);
  mkdirSync(environment, { recursive: true });
  for (const file of readdirSync(source)) copyFileSync(join(source, file), join(environment, file));
  copyFileSync(join(import.meta.dirname, 'openai_calls.py'), join(environment, 'openai_calls.py'));
  const isPython = existsSync(join(source, 'requirements.txt'));
  if (isPython && !existsSync(join(environment, 'venv'))) {
    await run('python3', ['-m', 'venv', 'venv'], environment);
    await run('venv/bin/pip', ['install', '--quiet', '--requirement', 'requirements.txt'], environment);
  } else if (!isPython && !existsSync(join(environment, 'node_modules'))) {
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], environment);
  }
  const vendor = await startVendorEndpoint({ answer });
  const bodies: Buffer[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const isTraces = request.url?.endsWith('/v1/traces') === true;
    if (isTraces && request.headers['content-type'] !== 'application/x-protobuf') console.error('Not protobuf.');
    else if (isTraces) bodies.push(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    else console.error(`Left out: ${request.method} ${request.url}, ${body.length} bytes`);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const [command, file] = isPython ? ['venv/bin/python', 'program.py'] : [values.node, 'program.mjs'];
  await run(command, [file], environment, {
    OPENAI_API_KEY: 'sk-recorder',
    OPENAI_BASE_URL: `${vendor.url}/v1`,
    ANTHROPIC_API_KEY: 'sk-recorder',
    ANTHROPIC_BASE_URL: vendor.url,
    GOOGLE_API_KEY: 'recorder',
    GOOGLE_GEMINI_BASE_URL: vendor.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_SERVICE_NAME: library,
    HOME: environment,
    PATH: process.env.PATH ?? '',
  });
  receiver.close();
  await vendor.close();
  // Requests that follow each other are one message with the spans of all.
  const trace = scrubTexts(withoutMachine(Buffer.concat(bodies)), environment);
  const folder = join(import.meta.dirname, '..', library);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'trace.binpb'), trace);
  console.log(`${library}: ${bodies.length} requests, ${trace.length} bytes`);
}

async function run(command: string, args: string[], cwd: string, env?: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: 'inherit', ...(env === undefined ? {} : { env }) });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} has failed with ${code}.`);
}

const RESOURCE_SPANS = 10;
const RESOURCE = 10;
const ATTRIBUTES = 10;

/** The request without attributes of its resources that describe the machine and the process. */
function withoutMachine(request: Uint8Array): Buffer {
  const writer = new ProtobufWriter();
  copyFields(writer, request, (tag, spans) => {
    if (tag !== RESOURCE_SPANS) return false;
    const start = writer.open(tag);
    copyFields(writer, spans, (inner, resource) => {
      if (inner !== RESOURCE) return false;
      const at = writer.open(inner);
      copyFields(writer, resource, (of, attribute) => of === ATTRIBUTES && isOfMachine(attribute));
      writer.close(at);
      return true;
    });
    writer.close(start);
    return true;
  });
  return Buffer.from(writer.finish());
}

/** @param replace whether it has handled the field */
function copyFields(
  writer: ProtobufWriter,
  bytes: Uint8Array,
  replace: (tag: number, content: Uint8Array) => boolean,
): void {
  const wire = new WireReader(bytes);
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const tag = wire.tag(at);
    const from = wire.at;
    at = wire.skip(tag, from);
    const isMessage = (tag & 7) === 2;
    if (isMessage) wire.enter(from);
    if (!isMessage || !replace(tag, bytes.subarray(wire.at, at))) writer.raw(bytes.subarray(start, at));
  }
}

function isOfMachine(attribute: Uint8Array): boolean {
  const key = Buffer.from(attribute.subarray(2, 2 + (attribute[1] ?? 0))).toString();
  return /^(process|host|os|container|k8s)\./.test(key);
}

/** Replaces paths and names of the machine by as many letters, so that no length in the bytes changes. */
function scrubTexts(bytes: Buffer, environment: string): Buffer {
  const names = [
    environment,
    values.environments,
    values.node,
    process.cwd(),
    homedir(),
    hostname(),
    userInfo().username,
  ];
  for (const name of names) {
    if (name.length < 5) continue;
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at)) bytes.fill('x', at, at + name.length);
  }
  return bytes;
}

for (const library of positionals.length > 0 ? positionals : readdirSync(PROGRAMS)) await record(library);
