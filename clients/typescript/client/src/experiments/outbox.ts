import type { promises } from 'node:fs';
import { SpandrelError } from '../http/errors.ts';
import { findNode, type NodeModules } from '../node/index.ts';
import { readVariable } from '../settings/environment.ts';
import { claimOutbox, type OutboxClaim } from './outbox-claim.ts';

/** A result that is to be posted. */
export interface OutboxRecord {
  /** Unique in its file. */
  readonly id: number;
  readonly kind: 'run' | 'evaluation';
  /** What the route takes for one item, as JSON: it goes to the disk and to the server, and takes less memory than objects. */
  readonly json: string;
}

/** Bytes of a file that is read again. */
const FILE_BYTES_MAX = 2 * 1024 ** 3;

/**
 * Results of one experiment in a file, until the server has them: a process that is killed, or a server that is away,
 * loses none. Outside of Node there is no file, and `path` is undefined.
 */
export class Outbox {
  readonly path: string | undefined;
  /** Undefined when results are only in memory. */
  #file: promises.FileHandle | undefined;
  readonly #warn: (message: string) => void;
  readonly #claim: OutboxClaim | undefined;
  #lastId: number;
  readonly #open = new Set<number>();
  /** Lines that wait for the write that runs. */
  #waiting: { readonly line: string; readonly settle: () => void }[] = [];
  #isWriting = false;

  private constructor(
    warn: (message: string) => void,
    file?: {
      readonly path: string;
      readonly handle: promises.FileHandle;
      readonly lastId: number;
      readonly claim: OutboxClaim;
    },
  ) {
    this.path = file?.path;
    this.#warn = warn;
    this.#file = file?.handle;
    this.#lastId = file?.lastId ?? 0;
    this.#claim = file?.claim;
  }

  /**
   * The outbox of an experiment, and the results in it that were not posted. `warn` is told when there can be no file;
   * results are then only in memory.
   *
   * @throws {SpandrelError} `EXPERIMENT_RUNNING` when another process has it open
   */
  static async open(
    address: { readonly baseUrl: string; readonly experimentId: string },
    warn: (message: string) => void,
  ): Promise<{ readonly outbox: Outbox; readonly pending: OutboxRecord[] }> {
    const node = findNode();
    const path = node && outboxPath(node, address);
    if (!node || !path) return { outbox: new Outbox(warn), pending: [] };
    let claim: OutboxClaim | undefined;
    try {
      const { promises } = node.fs;
      await promises.mkdir(node.path.dirname(path), { recursive: true, mode: 0o700 });
      claim = await claimOutbox(node, path);
      const { pending, lastId } = await readPending(node, path);
      const handle = await promises.open(path, 'a', 0o600);
      const outbox = new Outbox(warn, { path, handle, lastId, claim });
      for (const { id } of pending) outbox.#open.add(id);
      return { outbox, pending };
    } catch (error) {
      await claim?.release();
      if (error instanceof SpandrelError) throw error;
      warn(toWarning(path, error));
      return { outbox: new Outbox(warn), pending: [] };
    }
  }

  /** Results that are not posted. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Stores a result. When this returns, it is on the disk. */
  async add(kind: OutboxRecord['kind'], body: Readonly<Record<string, unknown>>): Promise<OutboxRecord> {
    const record = { id: ++this.#lastId, kind, json: JSON.stringify(body) };
    this.#open.add(record.id);
    await this.#write(`{"id":${record.id},"kind":"${kind}","body":${record.json}}\n`);
    return record;
  }

  /** Says that the server has these results. */
  async markPosted(ids: readonly number[]): Promise<void> {
    for (const id of ids) this.#open.delete(id);
    await this.#write(`${JSON.stringify({ posted: ids })}\n`);
  }

  /** Closes the file, and removes it when the server has all results. */
  async close(): Promise<void> {
    await this.#file?.close();
    if (this.path && this.#open.size === 0) await findNode()?.fs.promises.rm(this.path, { force: true });
    await this.#claim?.release();
  }

  #write(line: string): Promise<void> {
    if (!this.#file) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ line, settle: resolve });
      void this.#writeWaiting();
    });
  }

  /** Writes what waits in one piece, so that many results share one fsync. */
  async #writeWaiting(): Promise<void> {
    if (this.#isWriting || !this.#file) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      try {
        await this.#file?.appendFile(lines.map(({ line }) => line).join(''));
        await this.#file?.datasync();
      } catch (error) {
        // A full disk must not stop tasks whose results can be posted.
        this.#warn(toWarning(this.path ?? '', error));
        await this.#file?.close().catch(() => undefined);
        this.#file = undefined;
      }
      for (const { settle } of lines) settle();
    }
    this.#isWriting = false;
  }
}

const toWarning = (path: string, error: unknown): string =>
  `Results cannot be kept in ${path} (${error instanceof Error ? error.message : String(error)}), so they are lost if this process is killed. SPANDREL_OUTBOX_DIR sets another folder.`;

/** `<folder>/<host>/<experiment>.jsonl`: two servers may have experiments with the same ID. @internal */
export function outboxPath(
  { os, path }: NodeModules,
  { baseUrl, experimentId }: { readonly baseUrl: string; readonly experimentId: string },
): string {
  const state = readVariable('XDG_STATE_HOME');
  const folder =
    readVariable('SPANDREL_OUTBOX_DIR') ??
    path.join(state ?? path.join(os.homedir(), '.local', 'state'), 'spandrel', 'outbox');
  const { host, pathname } = new URL(baseUrl);
  const server = toFileName(host + pathname.replace(/\/$/, ''));
  return path.join(folder, server, `${toFileName(experimentId)}.jsonl`);
}

/** Letters, digits, `-` and `.`; anything else as its hexadecimal code. */
const toFileName = (text: string): string =>
  text.slice(0, 200).replace(/[^A-Za-z0-9.-]|^\.+/g, (sign) => `_${(sign.codePointAt(0) ?? 0).toString(16)}`);

async function readPending(node: NodeModules, path: string): Promise<{ pending: OutboxRecord[]; lastId: number }> {
  const stat = node.fs.statSync(path, { throwIfNoEntry: false });
  if (!stat) return { pending: [], lastId: 0 };
  if (stat.size > FILE_BYTES_MAX) throw new Error(`the file has ${stat.size} bytes, more than ${FILE_BYTES_MAX}`);
  const pending = new Map<number, OutboxRecord>();
  let lastId = 0;
  const file = await node.fs.promises.open(path, 'r');
  try {
    for await (const line of file.readLines()) {
      const entry = parseLine(line);
      if (!entry) continue;
      if ('posted' in entry) for (const id of entry.posted) pending.delete(id);
      else {
        pending.set(entry.id, entry);
        lastId = Math.max(lastId, entry.id);
      }
    }
  } finally {
    await file.close().catch(() => undefined);
  }
  await endLine(node, path, stat.size);
  return { pending: [...pending.values()], lastId };
}

/** The last line of a process that was killed may be half a record; the next one must not continue it. */
async function endLine(node: NodeModules, path: string, size: number): Promise<void> {
  if (size > 0) await node.fs.promises.appendFile(path, '\n');
}

function parseLine(line: string): OutboxRecord | { readonly posted: readonly number[] } | undefined {
  try {
    const value = JSON.parse(line) as Partial<OutboxRecord> & { readonly body?: unknown; readonly posted?: unknown };
    if (Array.isArray(value.posted)) return { posted: value.posted as number[] };
    const { id, kind, body } = value;
    const isRecord =
      typeof id === 'number' && (kind === 'run' || kind === 'evaluation') && typeof body === 'object' && body !== null;
    return isRecord ? { id, kind, json: JSON.stringify(body) } : undefined;
  } catch {
    return undefined;
  }
}
