import type { NodeModules } from '@spandrel/client/node';
import { readVariable } from '@spandrel/client/settings';
import { STALE_MS } from './limits.ts';

const OWNER = 'owner.json';
/** Folders of exporters of this process that are open. */
const OPEN_FOLDERS = new Set<string>();

/** Where spans wait for a server: `<folder>/<server>`. Each process has a folder of its own in it. */
export function spillPath({ os, path }: NodeModules, folder: string | undefined, url: string): string {
  const state = readVariable('XDG_STATE_HOME') ?? path.join(os.homedir(), '.local', 'state');
  const root = folder ?? readVariable('SPANDREL_SPILL_DIR') ?? path.join(state, 'spandrel', 'spill');
  const { host, pathname } = new URL(url);
  return path.join(root, toFileName(host + pathname));
}

/** Letters, digits, `-` and `.`; anything else as its hexadecimal code. */
const toFileName = (text: string): string =>
  text.slice(0, 200).replace(/[^A-Za-z0-9.-]|^\.+/g, (sign) => `_${(sign.codePointAt(0) ?? 0).toString(16)}`);

/** The folder of one process, with a sign of life that others read. */
export class OwnFolder {
  readonly path: string;
  readonly #node: NodeModules;
  readonly #parent: string;

  /** @throws {Error} of the file system */
  constructor(node: NodeModules, parent: string) {
    this.#node = node;
    this.#parent = parent;
    const token = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0'));
    this.path = node.path.join(parent, token.join(''));
    node.fs.mkdirSync(this.path, { recursive: true, mode: 0o700 });
    OPEN_FOLDERS.add(this.path);
    const owner = JSON.stringify({ pid: node.process.pid, host: node.os.hostname() });
    node.fs.writeFileSync(node.path.join(this.path, OWNER), owner, { mode: 0o600 });
  }

  renew(): void {
    const now = new Date();
    this.#node.fs.promises.utimes(this.#node.path.join(this.path, OWNER), now, now).catch(() => undefined);
  }

  /** Folders of processes that have ended, and the bytes that all others hold. */
  async listOthers(): Promise<{ readonly ended: string[]; readonly byteCount: number }> {
    const { fs, path } = this.#node;
    const ended: string[] = [];
    let byteCount = 0;
    for (const name of await fs.promises.readdir(this.#parent)) {
      const folder = path.join(this.#parent, name);
      if (folder === this.path) continue;
      if (await this.#hasEnded(folder)) ended.push(folder);
      else byteCount += await this.#countBytes(folder);
    }
    return { ended, byteCount };
  }

  async #countBytes(folder: string): Promise<number> {
    const { fs, path } = this.#node;
    const names = await fs.promises.readdir(folder).catch(() => []);
    const sizes = names.map((name) =>
      fs.promises.stat(path.join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  /** A process of this machine is asked for; one of another machine, such as a container, counts by its sign of life. */
  async #hasEnded(folder: string): Promise<boolean> {
    const { fs, os, path, process } = this.#node;
    const file = path.join(folder, OWNER);
    const stat = await fs.promises.stat(file).catch(() => fs.promises.stat(folder).catch(() => undefined));
    if (!stat?.isFile()) return stat !== undefined && Date.now() - stat.mtimeMs > STALE_MS;
    if (Date.now() - stat.mtimeMs > STALE_MS) return true;
    try {
      const { pid, host } = JSON.parse(await fs.promises.readFile(file, 'utf8')) as { pid: number; host: string };
      if (host !== os.hostname()) return false;
      // A process may have several exporters, or be a new one with the number of the old one.
      if (pid === process.pid) return !OPEN_FOLDERS.has(folder);
      process.kill(pid, 0);
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ESRCH';
    }
  }

  /** Removes the folder of an ended process when its files are gone. */
  async removeEmpty(folder: string): Promise<void> {
    const { fs, path } = this.#node;
    const names = await fs.promises.readdir(folder).catch(() => [OWNER, '']);
    if (names.some((name) => name !== OWNER)) return;
    await fs.promises.rm(path.join(folder, OWNER), { force: true }).catch(() => undefined);
    await fs.promises.rmdir(folder).catch(() => undefined);
  }

  /** Removes the own folder if it is empty. A file that was taken over in the same moment keeps it. */
  close(isEmpty: boolean): void {
    OPEN_FOLDERS.delete(this.path);
    if (!isEmpty) return;
    const { fs, path } = this.#node;
    try {
      fs.rmSync(path.join(this.path, OWNER), { force: true });
      fs.rmdirSync(this.path);
    } catch {
      // The next process finds it.
    }
  }
}
