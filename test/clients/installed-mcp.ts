import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** What the program needs, packed from this checkout, so that the test needs no registry. */
const PACKAGES = [
  ...['clients/typescript/mcp', 'clients/typescript/client'],
  ...['@modelcontextprotocol/server', '@modelcontextprotocol/core', 'zod'].map((name) => join('node_modules', name)),
  ...['openapi-fetch', 'openapi-typescript-helpers'].map((name) => join('node_modules', name)),
].map((path) => join(ROOT, path));

/** The program as npm installs it into a folder that was empty. */
export interface InstalledMcp {
  /** Path of the program. */
  readonly program: string;
  /** An official client of the program, over stdio. */
  connect(...args: string[]): Promise<Client>;
  remove(): Promise<void>;
}

/** Packs the built package with its dependencies and installs the tarballs. */
export async function installMcp(): Promise<InstalledMcp> {
  const folder = await mkdtemp(join(tmpdir(), 'spandrel-mcp-'));
  const tarballs = join(folder, 'tarballs');
  await mkdir(tarballs);
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', tarballs, ...PACKAGES], { cwd: folder });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const paths = (await readdir(tarballs)).map((name) => join(tarballs, name));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...paths], { cwd: folder });
  const program = join(folder, 'node_modules/.bin/spandrel-mcp');
  return {
    program,
    async connect(...args) {
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(new StdioClientTransport({ command: program, args, cwd: folder, stderr: 'pipe' }));
      return client;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
