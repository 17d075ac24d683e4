import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from './process-identity.ts';

export interface DataDirectoryLock {
  /** Lets the next server in. Not needed before the process ends: its death does the same. */
  release(): Promise<void>;
}

/** What a lock file says about the server that made it. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** See `processIdentity`; null where the platform does not tell. */
  readonly identity: string | null;
  /** Name of a socket in the directory that the holder listens on; null where the file system takes none. */
  readonly socket: string | null;
  readonly isReleased: boolean;
}

/**
 * Makes this process the only server of a data directory, until it releases the lock or dies in whatever way.
 *
 * Lock files are numbered: the holder is whoever made the highest. A server takes over by making the next number
 * (`link` lets one process do that) after it found the highest one's holder dead. The highest is never removed, only marked
 * as released: a slow newcomer could otherwise take over from somebody long gone, beside the present holder.
 *
 * A holder is alive if its socket answers: the kernel closes that with the process, also with `kill -9`, and it works across
 * containers that share the directory and not their process numbers. Where there are no sockets, process number and start time
 * tell.
 *
 * @throws {Error} naming the holder, when there is one.
 */
export async function lockDataDirectory(dir: string): Promise<DataDirectoryLock> {
  await mkdir(dir, { recursive: true });
  const socketName = `.lock-${randomBytes(6).toString('hex')}.sock`;
  const handle = await open(dir, constants.O_RDONLY | constants.O_DIRECTORY);
  let server: Server | undefined;
  try {
    server = await listen(dir, handle, socketName);
    const identity = (await processIdentity(process.pid)) ?? null;
    const socket = server ? socketName : null;
    const holder: Holder = { pid: process.pid, host: hostname(), identity, socket, isReleased: false };
    const number = await takeLock(dir, handle, holder);
    const path = lockPath(dir, number);
    return {
      async release() {
        await writeWhole(dir, path, { ...holder, isReleased: true }, rename);
        await close(server, handle);
      },
    };
  } catch (error) {
    await close(server, handle);
    throw error;
  }
}

/**
 * Like `lockDataDirectory`, for a caller that only reads. A read-only directory, such as a mounted backup, needs no
 * lock of ours, because no server can start on it. An existing lock is respected.
 */
export async function lockForReading(dir: string): Promise<DataDirectoryLock> {
  try {
    return await lockDataDirectory(dir);
  } catch (error) {
    if (!/^(EROFS|EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return { async release() {} };
  }
}

/** The number of the lock file that is ours. */
async function takeLock(dir: string, handle: FileHandle, holder: Holder): Promise<number> {
  for (;;) {
    const highest = Math.max(0, ...(await lockNumbers(dir)));
    if (highest > 0) await refuseIfHeld(dir, handle, highest);
    const isMade = await writeWhole(dir, lockPath(dir, highest + 1), holder, link).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (!isMade) continue;
    // What we saw may be old: if others took over from each other meanwhile, the latest of them holds the lock.
    const numbers = await lockNumbers(dir);
    if (Math.max(...numbers) > highest + 1) {
      await rm(lockPath(dir, highest + 1), { force: true });
      continue;
    }
    await removeStale(dir, numbers, highest + 1, holder.socket);
    return highest + 1;
  }
}

async function refuseIfHeld(dir: string, handle: FileHandle, number: number): Promise<void> {
  const holder = await readHolder(lockPath(dir, number));
  if (!holder || holder.isReleased || !(await isAlive(dir, handle, holder))) return;
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  throw new Error(
    `Another server (process ${holder.pid}${where}) is using the data directory ${dir}: stop it, or give this one a directory of its own`,
  );
}

async function isAlive(dir: string, handle: FileHandle, holder: Holder): Promise<boolean> {
  if (holder.socket !== null) {
    const answer = await probeSocket(socketPath(dir, handle, holder.socket));
    if (answer !== 'unknown') return answer === 'alive';
  }
  if (holder.host !== hostname()) return false;
  const identity = await processIdentity(holder.pid);
  return identity !== undefined && (holder.identity === null || identity === holder.identity);
}

/** Connecting needs no answer from the process, so a busy or stopped one counts as alive. */
const probeSocket = (path: string): Promise<'alive' | 'dead' | 'unknown'> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('alive');
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      // EAGAIN: its queue of connections is full.
      if (code === 'EAGAIN') resolve('alive');
      else resolve(code === 'ECONNREFUSED' || code === 'ENOENT' ? 'dead' : 'unknown');
    });
  });

/** Undefined where a socket cannot be made: some network and container file systems have none. */
const listen = (dir: string, handle: FileHandle, name: string): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(socketPath(dir, handle, name), () => resolve(server.unref()));
  });

/** Socket paths may have some 100 bytes; through the directory's descriptor Linux needs 40, however deep the directory is. */
const socketPath = (dir: string, handle: FileHandle, name: string): string =>
  process.platform === 'linux' ? `/proc/self/fd/${handle.fd}/${name}` : join(dir, name);

async function close(server: Server | undefined, handle: FileHandle): Promise<void> {
  // The socket's file goes with the server, through the directory's descriptor.
  if (server) await new Promise((resolve) => server.close(resolve));
  await handle.close();
}

const lockPath = (dir: string, number: number): string => join(dir, `.lock-${number}.json`);

const lockNumbers = async (dir: string): Promise<number[]> =>
  (await readdir(dir)).flatMap((name) => /^\.lock-(\d+)\.json$/.exec(name)?.slice(1, 2).map(Number) ?? []);

/** Gives the file its name only when it is whole, so that nobody reads half of it. */
async function writeWhole(
  dir: string,
  path: string,
  holder: Holder,
  give: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const partial = join(dir, `.lock-${randomBytes(6).toString('hex')}.partial`);
  try {
    await writeFile(partial, JSON.stringify(holder), { flag: 'wx' });
    await give(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}

/** Undefined when it went meanwhile, or holds nothing of ours (power was lost before its bytes were written). */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Lower numbers and the sockets of the dead. */
async function removeStale(dir: string, numbers: readonly number[], own: number, ownSocket: string | null) {
  for (const number of numbers) {
    if (number >= own) continue;
    const socket = (await readHolder(lockPath(dir, number)))?.socket;
    if (socket && socket !== ownSocket) await rm(join(dir, socket), { force: true });
    await rm(lockPath(dir, number), { force: true });
  }
}
