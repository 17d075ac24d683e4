import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as fakeModel from '../../clients/typescript/evals/src/fake-model/index.ts';
import type * as core from '../../clients/typescript/evals/src/index.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const EVALS_FOLDER = join(ROOT, 'clients/typescript/evals');

/** What is used of `@spandrel/evals/server`, whose types need those of the client's package. */
interface SpanEvaluations {
  evaluateSpans(options: object): Promise<{
    readonly newestStartTimeMs: number | undefined;
    readonly annotationCount: number;
    readonly rowCount: number;
  }>;
}

/** The evaluation library as npm packs it, installed into a folder that was empty. */
export interface InstalledEvals {
  readonly folder: string;
  readonly core: typeof core;
  readonly fakeModel: typeof fakeModel;
  readonly server: SpanEvaluations;
  /** Packages in its `node_modules`. */
  packages(): Promise<string[]>;
  remove(): Promise<void>;
}

export async function installEvals(): Promise<InstalledEvals> {
  const folder = await mkdtemp(join(tmpdir(), 'spandrel-evals-'));
  const tarballs = join(folder, 'tarballs');
  await mkdir(tarballs);
  const npm = (...args: string[]) => run('npm', args, { cwd: folder });
  const modules = join(ROOT, 'node_modules');
  await npm('pack', '--ignore-scripts', '--pack-destination', tarballs, EVALS_FOLDER, join(modules, 'json-p3'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const paths = (await readdir(tarballs)).map((name) => join(tarballs, name));
  await npm('install', '--offline', '--no-audit', '--no-fund', ...paths);
  await symlink(join(modules, 'ajv'), join(folder, 'node_modules/ajv'));
  const { resolve } = createRequire(join(folder, 'package.json'));
  const load = (path: string) => import(pathToFileURL(resolve(join('@spandrel/evals', path))).href);
  return {
    folder,
    core: (await load('.')) as typeof core,
    fakeModel: (await load('fake-model')) as typeof fakeModel,
    server: (await load('server')) as SpanEvaluations,
    async packages() {
      const scopes = await readdir(join(folder, 'node_modules'));
      return scopes.filter((name) => !name.startsWith('.')).sort();
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
