import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const TRACING_FOLDER = join(ROOT, 'clients/typescript/tracing');
const CLIENT_FOLDER = join(ROOT, 'clients/typescript/client');
/** Versions that other packages of this checkout keep for themselves; the package needs these. */
const NESTED: Readonly<Record<string, string>> = {
  '@opentelemetry/instrumentation': '@arizeai/phoenix-otel/node_modules/@opentelemetry/instrumentation',
};

/** The package as npm packs it, in a folder that has nothing else but the dependencies that its manifest names. */
export interface InstalledTracing {
  readonly folder: string;
  /** Writes a program into the folder and returns its path. */
  write(name: string, source: string): Promise<string>;
  remove(): Promise<void>;
}

/** Unpacks the tarballs of the package and the client, and links their dependencies and `more` from this checkout. */
export async function installTracing(more: readonly string[] = []): Promise<InstalledTracing> {
  const folder = await mkdtemp(join(tmpdir(), 'spandrel-tracing-'));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, TRACING_FOLDER, CLIENT_FOLDER], {
    cwd: folder,
  });
  const names = new Set(more);
  for (const tarball of (await readdir(folder)).filter((name) => name.endsWith('.tgz'))) {
    const target = join(folder, 'node_modules/@spandrel', tarball.includes('tracing') ? 'tracing' : 'client');
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '-C', target]);
    const { dependencies } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(dependencies)) names.add(name);
  }
  for (const name of names) {
    if (name.startsWith('@spandrel/')) continue;
    const nested = join(ROOT, 'node_modules', NESTED[name] ?? name);
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(existsSync(nested) ? nested : join(ROOT, 'node_modules', name), link);
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  return {
    folder,
    async write(name, source) {
      const path = join(folder, name);
      await writeFile(path, source);
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
