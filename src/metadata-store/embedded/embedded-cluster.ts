import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../base/log.ts';
import { type Account, canEnter, runAs } from './embedded-account.ts';
import type { Binaries } from './embedded-binaries.ts';

/** The files of an embedded Postgres, and how its processes reach them. */
export interface Cluster {
  readonly data: string;
  /** Path of the data directory for Postgres: see `pathForPostgres`. */
  readonly dataForPostgres: string;
  readonly account: Account | undefined;
  readonly password: string;
}

export const EMBEDDED_USER = 'spandrel';

/** Time limit of `initdb`, which takes a second on an idle machine. */
const INITDB_MS_MAX = 600_000;

/** Created with the cluster and inside it, so that the two cannot be separated. */
export const PASSWORD_FILE = 'spandrel.password';

/** Uid of the owner of the data. Undefined when there is no data yet. */
export async function dataOwnerUid(home: string): Promise<number | undefined> {
  const stats = await lstat(join(home, 'data')).catch(() => undefined);
  return stats?.uid;
}

/**
 * Opens the cluster in `home`, or creates it. The creation is atomic.
 *
 * @throws {Error} when it is of another version, belongs to another user, or cannot be created.
 */
export async function openCluster(options: {
  readonly home: string;
  readonly account: Account | undefined;
  readonly binaries: Binaries;
  readonly log: Log;
}): Promise<Cluster> {
  const { home, account, binaries } = options;
  const data = join(home, 'data');
  if ((await readVersion(data)) === undefined) await createCluster(options);
  // Root may have restored the directory from a backup.
  if (account && (await lstat(data)).uid === 0) await giveAway(data, account);
  const version = await readVersion(data);
  if (version !== binaries.major) {
    throw new Error(
      `${data} was created by Postgres ${version}, but this program contains Postgres ${binaries.major}. Use the version of the program that created it to move the data to an external Postgres with 'spandrel db move'.`,
    );
  }
  const password = await readFile(join(data, PASSWORD_FILE), 'utf8');
  return { data, account, password, dataForPostgres: await pathForPostgres(data, account) };
}

async function readVersion(data: string): Promise<string | undefined> {
  try {
    return (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    const { uid } = await lstat(data);
    throw new Error(
      `${data} belongs to the user with uid ${uid}, and this process runs as uid ${process.getuid?.()}. Run as that user or as root, or change the owner of the directory and its contents.`,
    );
  }
}

/**
 * The path by which Postgres finds its data directory, which is the working directory of its processes. The user may be
 * unable to traverse the parent directories (`/root` has mode 0700); Linux' link to the working directory avoids them.
 */
async function pathForPostgres(data: string, account: Account | undefined): Promise<string> {
  if (await canEnter(account, data)) return data;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new Error(
    `Postgres runs as user ${account?.name}, who cannot enter ${data}. Move the data directory, or make its parent directories accessible (chmod o+x).`,
  );
}

async function createCluster({ home, account, binaries, log }: Parameters<typeof openCluster>[0]): Promise<void> {
  log.info({ home }, 'Creating the embedded Postgres, once; this takes about a second');
  const data = join(home, 'data');
  const fresh = await mkdtemp(join(home, 'data.new-'));
  const password = randomBytes(24).toString('base64url');
  const passwordFile = `${fresh}.password`;
  try {
    await writeFile(passwordFile, password, { mode: 0o600, flush: true });
    for (const path of [fresh, passwordFile]) if (account) await chown(path, account.uid, account.gid);
    await runInitdb({ data: fresh, account, binaries, passwordFile });
    await rename(passwordFile, join(fresh, PASSWORD_FILE));
    await syncDirectory(fresh);
    await rename(fresh, data);
    await syncDirectory(home);
  } catch (error) {
    // Another server has created it in between.
    if (!/^(ENOTEMPTY|EEXIST)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await removeLeftovers(home, basename(fresh));
  }
}

/**
 * Removes the files of this attempt and of interrupted attempts, but not those of a server that is creating the
 * cluster.
 */
async function removeLeftovers(home: string, own: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith('data.new-')) continue;
    const path = join(home, name);
    const changedAt = (await lstat(path).catch(() => undefined))?.mtimeMs ?? 0;
    if (name.startsWith(own) || Date.now() - changedAt > INITDB_MS_MAX)
      await rm(path, { recursive: true, force: true });
  }
}

async function runInitdb(options: {
  readonly data: string;
  readonly account: Account | undefined;
  readonly binaries: Binaries;
  readonly passwordFile: string;
}): Promise<void> {
  const { data, account, binaries, passwordFile } = options;
  const dataForPostgres = await pathForPostgres(data, account);
  const flags = [
    `--username=${EMBEDDED_USER}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The order of C is fast and never changes; with Unicode's letters, ignoring case works beyond ASCII.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  // Relative, for a user who cannot traverse the parent directories.
  const passwordPath = dataForPostgres === data ? passwordFile : passwordFile.replace(/^.*\//, '../');
  try {
    await promisify(execFile)(
      join(binaries.directory, 'bin', 'initdb'),
      ['-D', dataForPostgres, `--pwfile=${passwordPath}`, ...flags],
      { ...runAs(account), cwd: data, env: { LC_ALL: 'C', TZ: 'UTC' } },
    );
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = oneLine(stderr || message);
    const advice = reason.includes('user does not exist') ? `. ${NEEDS_NAME}` : '';
    throw new Error(`Could not create the embedded Postgres in ${data}: ${reason}${advice}`);
  }
}

// Containers often run under a uid that their image does not define.
const NEEDS_NAME =
  'Postgres requires a user with a name. Run the server as a user of /etc/passwd, or set SERVICE_SQL_DATABASE_URL to an external Postgres.';

/**
 * Creates the directory of the socket: the data directory, which only the user of Postgres can enter. A path that is
 * too long for the address of a socket (104 bytes on macOS, 108 on Linux) gets a private temporary directory instead.
 * Its name is always the same, and other users cannot guess it and create it first.
 */
export async function makeSocketDirectory({ data, account, password }: Cluster): Promise<string> {
  if (Buffer.byteLength(join(data, SOCKET_FILE)) < 104) return data;
  const name = createHash('sha256').update(password).digest('hex').slice(0, 16);
  const directory = join(tmpdir(), `spandrel-postgres-${name}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (account) await chown(directory, account.uid, account.gid);
  return directory;
}

export const SOCKET_PORT = 5432;
export const SOCKET_FILE = `.s.PGSQL.${SOCKET_PORT}`;

/** Creates the directory that contains the cluster. Its user must be able to traverse it. */
export async function makeHome(home: string): Promise<void> {
  await mkdir(home, { recursive: true });
  const { uid, mode } = await lstat(home);
  if (uid === process.getuid?.() && (mode & 0o111) !== 0o111) await chmod(home, 0o711);
}

async function giveAway(path: string, account: Account): Promise<void> {
  await chown(path, account.uid, account.gid);
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  for (const entry of entries) await chown(join(entry.parentPath, entry.name), account.uid, account.gid);
}

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' | ');

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
