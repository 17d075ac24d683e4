import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
export const PACKAGES_FOLDER = join(ROOT, 'clients/typescript');
/** Versions that other packages of this checkout keep for themselves; ours need these. */
const NESTED: Readonly<Record<string, string>> = {
  '@opentelemetry/instrumentation': '@arizeai/phoenix-otel/node_modules/@opentelemetry/instrumentation',
};

/** Packages as npm packs them, in a folder that has nothing else but the dependencies that their manifests name. */
export interface UnpackedPackages {
  readonly folder: string;
  /** Writes a file into the folder and returns its path. */
  write(name: string, content: string): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Unpacks the tarballs of our packages, and links their dependencies and `more` (name → folder, if it is not that of this
 * checkout). It is faster than an installation by npm.
 */
export async function unpackPackages(
  names: readonly string[],
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<UnpackedPackages> {
  const folder = await mkdtemp(join(tmpdir(), 'spandrel-packages-'));
  const sources = names.map((name) => join(PACKAGES_FOLDER, name));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, ...sources], { cwd: folder });
  const links = new Map(Object.entries(more));
  for (const tarball of (await readdir(folder)).filter((name) => name.endsWith('.tgz'))) {
    const name = names.find((each) => tarball.startsWith(`spandrel-${each}-`)) ?? '';
    const target = join(folder, 'node_modules/@spandrel', name);
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '-C', target]);
    const { dependencies = {} } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const dependency of Object.keys(dependencies)) links.set(dependency, links.get(dependency));
  }
  for (const [name, path] of links) {
    if (name.startsWith('@spandrel/')) continue;
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(path ?? join(MODULES, NESTED[name] ?? name), link);
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  return {
    folder,
    async write(name, content) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
