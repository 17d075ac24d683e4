import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Account, canEnter, runAs } from '../../src/metadata-store/embedded/embedded-account.ts';
import type { CleanUp } from './fixtures.ts';

export interface StoreProcessOptions {
  readonly dataDir: string;
  readonly url?: string;
  readonly schema?: string;
  /** Resolved before the reply. */
  readonly projectNames?: readonly string[];
  /** Opens and closes the embedded Postgres with this package first. */
  readonly packageDirectory?: string;
}

export type StoreProcessReply =
  | { readonly opened: true; readonly projectIds: Readonly<Record<string, number>> }
  | { readonly opened: false; readonly error: string };

export interface StoreProcess {
  readonly child: ChildProcess;
  readonly reply: StoreProcessReply;
  close(): Promise<void>;
  /** As `kill -9` does. */
  kill(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('./store-process.js', import.meta.url));

/** Opens a metadata store in a process of its own, and resolves with what it replied. */
export async function runStoreProcess(
  cleanUp: CleanUp,
  options: StoreProcessOptions,
  account?: Account,
): Promise<StoreProcess> {
  const child = fork(SCRIPT, [JSON.stringify(options)], { ...runAs(account), cwd: '/', execArgv: [] } as object);
  const exited = once(child, 'exit');
  cleanUp(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const [reply] = (await Promise.race([once(child, 'message'), exited.then(() => [ENDED])])) as [StoreProcessReply];
  return {
    child,
    reply,
    async close() {
      child.send('close');
      await exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const ENDED: StoreProcessReply = { opened: false, error: 'the process ended without a reply' };

/** Somebody who is not root, when this process is root and that user can reach the program; else undefined. */
export async function otherUser(): Promise<Account | undefined> {
  const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 };
  const canRun = process.getuid?.() === 0 && (await canEnter(nobody, dirname(SCRIPT)));
  return canRun ? nobody : undefined;
}
