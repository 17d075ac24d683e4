import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as datasets from '../../clients/typescript/client/src/datasets/index.ts';
import type * as experiments from '../../clients/typescript/client/src/experiments/index.ts';
import type * as core from '../../clients/typescript/client/src/index.ts';
import type * as projects from '../../clients/typescript/client/src/projects/index.ts';
import type * as prompts from '../../clients/typescript/client/src/prompts/index.ts';
import type * as sessions from '../../clients/typescript/client/src/sessions/index.ts';
import type * as spans from '../../clients/typescript/client/src/spans/index.ts';
import type * as traces from '../../clients/typescript/client/src/traces/index.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const CLIENT_FOLDER = join(ROOT, 'clients/typescript/client');
/** What the client depends on, packed from this checkout, so that the test needs no registry. */
const DEPENDENCIES = ['openapi-fetch', 'openapi-typescript-helpers'].map((name) => join(ROOT, 'node_modules', name));

/** Subpaths of the package. */
export interface Modules {
  readonly '.': typeof core;
  readonly './datasets': typeof datasets;
  readonly './experiments': typeof experiments;
  readonly './projects': typeof projects;
  readonly './prompts': typeof prompts;
  readonly './sessions': typeof sessions;
  readonly './spans': typeof spans;
  readonly './traces': typeof traces;
}

/** The package as npm packs it, installed into a folder that was empty. */
export interface InstalledClient {
  readonly folder: string;
  /** Packages in its `node_modules`. */
  packages(): Promise<string[]>;
  load<Path extends keyof Modules>(path: Path): Promise<Modules[Path]>;
  remove(): Promise<void>;
}

/** Packs the built client with its dependencies and installs the tarballs. */
export async function installClient(): Promise<InstalledClient> {
  const folder = await mkdtemp(join(tmpdir(), 'spandrel-client-'));
  const tarballs = join(folder, 'tarballs');
  await mkdir(tarballs);
  const npm = (...args: string[]) => run('npm', args, { cwd: folder });
  await npm('pack', '--ignore-scripts', '--pack-destination', tarballs, CLIENT_FOLDER, ...DEPENDENCIES);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const paths = (await readdir(tarballs)).map((name) => join(tarballs, name));
  await npm('install', '--offline', '--no-audit', '--no-fund', ...paths);
  const { resolve } = createRequire(join(folder, 'package.json'));
  return {
    folder,
    async packages() {
      const entries = await readdir(join(folder, 'node_modules'));
      return entries.filter((name) => !name.startsWith('.')).sort();
    },
    load: (path) => import(pathToFileURL(resolve(join('@spandrel/client', path))).href),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
