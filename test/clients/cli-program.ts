import assert from 'node:assert/strict';
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../metadata-store/fixtures.ts';
import { ADMIN_SECRET, postJson, SECRET, sessionOf, toClient } from '../api/access/signed-in-server.ts';
import { type ServerProcess, startServer } from '../e2e/server-process.ts';

/** The package of the command line client, and its built program. */
export const PACKAGE = fileURLToPath(new URL('../../../clients/typescript/cli', import.meta.url));
export const PROGRAM = join(PACKAGE, 'dist/main.js');
/** The server's program, which runs the same commands. */
export const SERVER = fileURLToPath(new URL('../../server/main.js', import.meta.url));
export const TRACE = '0123456789abcdef0123456789abcdef';
export const USER = { auth_method: 'LOCAL', email: 'c@example.com', username: 'c', role: 'MEMBER', password: 'word-1' };

export interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A server with sign-in, a project `demo` with a trace, and the program with a key of a member. */
export interface CliFixture {
  readonly server: ServerProcess;
  readonly key: string;
  /** Exit codes of the programs that have ended. */
  readonly exitCodes: ReadonlySet<number | null>;
  /** Home and working directory of the program. */
  readonly folder: string;
  environment(more?: Readonly<Record<string, string>>): Record<string, string>;
  run(...args: readonly string[]): Promise<Result>;
  runWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Result>;
  start(
    env: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ): ChildProcessByStdio<null, Readable, Readable>;
}

export async function openCliFixture(cleanUp: (work: () => Promise<void>) => void): Promise<CliFixture> {
  const folder = await temporaryDirectory(cleanUp);
  const env = { SERVICE_ENABLE_AUTH: 'true', SERVICE_SECRET: SECRET, SERVICE_ADMIN_SECRET: ADMIN_SECRET };
  const server = await startServer({ dataDir: join(folder, 'data'), env });
  cleanUp(() => server.kill9());
  const key = await newKey(server);
  mkdirSync(join(folder, 'bin'));
  symlinkSync(PROGRAM, join(folder, 'bin/spandrel'));
  await sendTrace(server, key);
  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    SPANDREL_ENDPOINT: server.url,
    SPANDREL_API_KEY: key,
    ...more,
  });
  const exitCodes = new Set<number | null>();
  const start = (more: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      env: environment(more),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.once('exit', (code) => exitCodes.add(code));
    return child;
  };
  const runWith = (more: Readonly<Record<string, string>>, ...args: readonly string[]) => ended(start(more, ...args));
  return { server, key, folder, exitCodes, environment, start, runWith, run: (...args) => runWith({}, ...args) };
}

async function newKey({ url }: ServerProcess): Promise<string> {
  await toClient(url, { bearer: ADMIN_SECRET }).call('POST', '/v1/users', { user: USER });
  const { access } = sessionOf(await postJson(`${url}/auth/login`, { email: USER.email, password: USER.password }));
  const { json } = await toClient(url, { bearer: access }).call('POST', '/v1/user/api_keys', { data: { name: 'cli' } });
  return (json as { data: { key: string } }).data.key;
}

async function sendTrace({ url }: ServerProcess, key: string): Promise<void> {
  const start = Date.now() - 60_000;
  const span = (id: string, name: string, parent?: string) => ({
    ...{ name, context: { trace_id: TRACE, span_id: id }, status_message: '', span_kind: 'CHAIN', parent_id: parent },
    ...{ start_time: new Date(start).toISOString(), end_time: new Date(start + 1_500).toISOString() },
    ...{ status_code: parent ? 'ERROR' : 'OK', attributes: { 'session.id': 's/1?' } },
  });
  const data = [
    span('00000000000000a1', 'answer \u001b[31mred'),
    span('00000000000000a2', 'look up', '00000000000000a1'),
  ];
  assert.equal((await toClient(url, { bearer: key }).call('POST', '/v1/projects/demo/spans', { data })).status, 202);
}

/** Resolves when a process has ended, with what it printed. */
export function ended(child: ChildProcess): Promise<Result> {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}
