// How long does a command line take, from the start of the process to its end? Beside it an empty program of Node, which is
// the least that any can take. Targets (median): --version 80 ms, project list 150 ms, completion 100 ms. The server here is a
// fixed response, so the time is that of the client.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CLIENT = join(ROOT, 'clients/typescript/cli/dist/main.js');
const SERVER = join(ROOT, 'dist/server/main.js');
const COUNT = process.env.SMOKE ? 1 : 31;

const projects = { data: [{ id: 'UHJvamVjdDox', name: 'default', description: null }], next_cursor: null };
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(projects));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const home = mkdtempSync(join(tmpdir(), 'spandrel-cli-bench-'));
const env = {
  PATH: process.env.PATH ?? '',
  HOME: home,
  SPANDREL_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
};

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['an empty program', ['-e', '0']],
  ['--version', [CLIENT, '--version']],
  ['--help', [CLIENT, '--help']],
  ['project list', [CLIENT, 'project', 'list']],
  ['completion of a flag', [CLIENT, '--complete', 'span', 'list', '--pro']],
  ['completion of a project', [CLIENT, '--complete', 'project', 'get', 'd']],
  ["project list, of the server's program", [SERVER, 'project', 'list']],
  ["--version, of the server's program", [SERVER, '--version']],
];

const times = CASES.map((): number[] => []);
// In turns, so that a busy moment of the machine concerns all of them.
for (let round = process.env.SMOKE ? 1 : 0; round <= COUNT; round++) {
  for (const [index, [, args]] of CASES.entries()) {
    const tookMs = await timeOf(args);
    // The first round fills the caches of files.
    if (round > 0) times[index]?.push(tookMs);
  }
}
for (const [index, [name]] of CASES.entries()) {
  const sorted = (times[index] ?? []).sort((left, right) => left - right);
  const at = (part: number) => `${(sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(0)} ms`.padStart(8);
  console.log(`${name.padEnd(40)} median ${at(0.5)}   least ${at(0)}   p95 ${at(0.95)}`);
}
server.close();
rmSync(home, { recursive: true, force: true, maxRetries: 5 });

function timeOf(args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  return new Promise((resolve, reject) =>
    child.once('close', (code) => {
      if (code === 0) resolve(performance.now() - startedAt);
      else reject(new Error(`${args.join(' ')} ended with ${code}`));
    }),
  );
}
