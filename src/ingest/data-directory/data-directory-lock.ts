import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from './process-identity.ts';

export interface DataDirectoryLock {
  /** Admits the next server. The end of the process has the same effect. */
  release(): Promise<void>;
}

/** Content of a lock file: the server that created it. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** See `processIdentity`. Null on platforms without it. */
  readonly identity: string | null;
  /** Name of a socket in the directory on which the holder listens. Null if the file system has no sockets. */
  readonly socket: string | null;
  readonly isReleased: boolean;
}

/**
 * Makes this process the only server of a data directory until it releases the lock or dies.
 *
 * Lock files are numbered, and the creator of the highest number holds the lock. A server takes over by creating the
 * next number (`link` lets only one process succeed) after it has found the holder of the highest number dead. The
 * highest file is never removed, only marked as released: otherwise a slow server could take over from a former holder
 * while another one holds the lock.
 *
 * A holder is alive if its socket accepts connections: the kernel closes the socket with the process, also after `kill
 * -9`, and it works across containers that share the directory but not their process numbers. Without sockets, the
 * process number and its start time decide.
 *
 * @throws {Error} that names the current holder
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

/** Returns the number of our lock file. */
async function takeLock(dir: string, handle: FileHandle, holder: Holder): Promise<number> {
  for (;;) {
    const highest = Math.max(0, ...(await lockNumbers(dir)));
    if (highest > 0) await rejectIfHeld(dir, handle, highest);
    const isMade = await writeWhole(dir, lockPath(dir, highest + 1), holder, link).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (!isMade) continue;
    // The list may be outdated: if other servers have taken over from each other, the latest of them holds the lock.
    const numbers = await lockNumbers(dir);
    if (Math.max(...numbers) > highest + 1) {
      await rm(lockPath(dir, highest + 1), { force: true });
      continue;
    }
    await removeStale(dir, numbers, highest + 1, holder.socket);
    return highest + 1;
  }
}

async function rejectIfHeld(dir: string, handle: FileHandle, number: number): Promise<void> {
  const holder = await readHolder(lockPath(dir, number));
  if (!holder || holder.isReleased || !(await isAlive(dir, handle, holder))) return;
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  throw new Error(
    `Another server (process ${holder.pid}${where}) uses the data directory ${dir}. Stop that server, or set SERVICE_WORKING_DIR to another directory`,
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

/** Connecting needs no response from the process, so a busy or stopped process counts as alive. */
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

/** Undefined if no socket can be created, as in some network and container file systems. */
const listen = (dir: string, handle: FileHandle, name: string): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(socketPath(dir, handle, name), () => resolve(server.unref()));
  });

/** A socket path may have about 100 bytes. Through the directory's descriptor Linux needs 40, at any depth. */
const socketPath = (dir: string, handle: FileHandle, name: string): string =>
  process.platform === 'linux' ? `/proc/self/fd/${handle.fd}/${name}` : join(dir, name);

async function close(server: Server | undefined, handle: FileHandle): Promise<void> {
  // Closing the server removes the socket file, through the directory's descriptor.
  if (server) await new Promise((resolve) => server.close(resolve));
  await handle.close();
}

const lockPath = (dir: string, number: number): string => join(dir, `.lock-${number}.json`);

const lockNumbers = async (dir: string): Promise<number[]> =>
  (await readdir(dir)).flatMap((name) => /^\.lock-(\d+)\.json$/.exec(name)?.slice(1, 2).map(Number) ?? []);

/** Renames the file only after it is complete, so that no process reads half of it. */
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

/** Undefined if the file has been removed or was not written completely before a power failure. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes lower numbers and the sockets of dead holders. */
async function removeStale(dir: string, numbers: readonly number[], own: number, ownSocket: string | null) {
  for (const number of numbers) {
    if (number >= own) continue;
    const socket = (await readHolder(lockPath(dir, number)))?.socket;
    if (socket && socket !== ownSocket) await rm(join(dir, socket), { force: true });
    await rm(lockPath(dir, number), { force: true });
  }
}
