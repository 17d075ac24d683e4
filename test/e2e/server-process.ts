import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TEST_FOLDER } from '../fixtures/test-folder.ts';
import { commandLine, processTree } from './process-tree.ts';

/** The built server, run as people run it: a child process in a process group of its own. */
export interface ServerProcess {
  readonly pid: number;
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
  /** `127.0.0.1:port` of OTLP over gRPC. */
  readonly grpcAddress: string;
  readonly dataDir: string;
  readonly ports: Ports;
  /** Everything it and its children have printed so far. */
  output(): string;
  /** Undefined while it runs. */
  exit(): ProcessExit | undefined;
  /** Resolves when it has ended by itself or by a signal. */
  ended(): Promise<ProcessExit>;
  /** SIGTERM, then the time that a drain may take. */
  stop(): Promise<ProcessExit>;
  /** SIGKILL to the server and to everything it has started, Postgres too, at once. */
  kill9(): Promise<void>;
  /**
   * SIGKILL to the server's own process, as the kernel does when memory runs out; the processes that
   * it had started are left behind, and returned.
   */
  killServerAlone(): Promise<number[]>;
  /** Sends SIGKILL to every process of its embedded Postgres, if any, and to no other process. */
  killPostgres(): Promise<void>;
  /** Sends SIGSTOP or SIGCONT to every process of its embedded Postgres. */
  signalPostgres(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Ports {
  readonly http: number;
  readonly grpc: number;
}

export interface StartOptions {
  /** Absent: made under the temporary directory, and removed once the server was stopped or killed. The caller removes what it gave. */
  readonly dataDir?: string;
  readonly ports?: Ports;
  /** Settings on top of the defaults of a test. */
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** `main.js` of another build. */
  readonly mainPath?: string;
  /** Command prefix that runs the server's command. */
  readonly launcher?: readonly string[];
  /** False: returns as soon as the process runs. */
  readonly waitUntilReady?: boolean;
}

/** Longest time from the process to the first 200 of `/readyz`: initdb on a loaded machine takes most of it. */
const READY_MS_MAX = 90_000;
/** A drain is bounded by the server itself; past this it hangs. */
const STOP_MS_MAX = 45_000;
const MAIN = fileURLToPath(new URL('../../server/main.js', import.meta.url));

/** @throws Error with the server's output when it ends, or is not ready in time. */
export async function startServer(options: StartOptions = {}): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? (await makeDataDir({ isEmpty: !usesTemplate(options) }));
  const ports = options.ports ?? { http: await freePort(), grpc: await freePort() };
  const main = [process.execPath, options.mainPath ?? MAIN, 'serve', ...(options.args ?? [])];
  const [command, ...args] = [...(options.launcher ?? []), ...main];
  const child = spawn(command!, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment({ dataDir, ports, extra: options.env ?? {} }),
  });
  const server = new RunningServer(child, dataDir, ports, options.dataDir === undefined);
  if (options.waitUntilReady !== false) {
    try {
      await waitUntilReady(server);
    } catch (error) {
      await server.kill9();
      throw error;
    }
  }
  return server;
}

/** Polls `/readyz`; a server that ends meanwhile is an error at once. */
export async function waitUntilReady(server: ServerProcess): Promise<void> {
  const deadline = Date.now() + READY_MS_MAX;
  for (;;) {
    const exit = server.exit();
    if (exit)
      throw new Error(`the server ended (${exit.signal ?? exit.code}) before it was ready:\n${server.output()}`);
    const status = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => undefined,
    );
    if (status === 200) return;
    if (Date.now() > deadline)
      throw new Error(`/readyz is ${status ?? 'silent'} after ${READY_MS_MAX} ms:\n${server.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/**
 * A data directory on which a server was started and stopped (`scripts/test.mjs` makes it), because a copy is ready in
 * half the time of an empty one. Undefined when a test runs by itself.
 */
const TEMPLATE = process.env.TEST_TEMPLATE_DIR;

const usesTemplate = ({ mainPath, env = {} }: StartOptions): boolean =>
  mainPath === undefined && !Object.keys(env).some((name) => /^SERVICE_(SQL|POSTGRES|SECRET|WORKING)/.test(name));

/**
 * A new data directory: a copy of the template, or empty for a first start. Copies share an installation ID, so a server with
 * an external database also starts on an empty directory. It may be in memory, unless it must be on a disk.
 */
export async function makeDataDir({ isEmpty = false, isOnDisk = false } = {}): Promise<string> {
  const dataDir = await mkdtemp(join(isOnDisk ? tmpdir() : TEST_FOLDER, 'spandrel-e2e-'));
  if (TEMPLATE !== undefined && !isEmpty) await promisify(execFile)('cp', ['-a', `${TEMPLATE}/.`, dataDir]);
  return dataDir;
}

/** What still ends may write meanwhile. */
const REMOVED = { recursive: true, force: true, maxRetries: 5 } as const;
export const removeDataDir = (dir: string): Promise<void> => rm(dir, REMOVED);

/**
 * Ports that are given out: below those that kernels give to outgoing connections, which would take a port between the
 * moment when it was free and the moment when a server listens on it. Each process has a slice of them for itself, and
 * listens on its first port for as long as it lives, so that no other process takes the slice.
 */
const FIRST_PORT = 10_000;
const PORT_SLICE = 100;
const PORT_SLICE_COUNT = 220;
let slice: Promise<number> | undefined;
let portsGiven = 0;

/** A port of the loopback address that nobody listens on now, and that no other process of the tests is given. */
export async function freePort(): Promise<number> {
  slice ??= takeSlice();
  const first = await slice;
  for (let attempt = 1; attempt < PORT_SLICE; attempt++) {
    const port = first + 1 + (portsGiven++ % (PORT_SLICE - 1));
    const probe = await listen(port);
    if (!probe) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
  throw new Error(`none of the ports from ${first + 1} to ${first + PORT_SLICE - 1} is free`);
}

/** The first port of a slice that no other process has. */
async function takeSlice(): Promise<number> {
  for (let attempt = 0; attempt < PORT_SLICE_COUNT; attempt++) {
    const first = FIRST_PORT + ((process.pid + attempt) % PORT_SLICE_COUNT) * PORT_SLICE;
    const mark = await listen(first);
    if (mark) {
      mark.unref();
      return first;
    }
  }
  throw new Error(`every slice of the ports from ${FIRST_PORT} on is taken`);
}

/** Undefined when the port is taken. */
const listen = (port: number): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

/** The caller's environment without anything that would reach the server's settings or an exporter's. */
function environment({
  dataDir,
  ports,
  extra,
}: {
  dataDir: string;
  ports: Ports;
  extra: Readonly<Record<string, string>>;
}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SERVICE|PHOENIX|OTEL|NODE_TEST)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: String(ports.http),
    SERVICE_GRPC_PORT: String(ports.grpc),
    SERVICE_WORKING_DIR: dataDir,
    SERVICE_LOGGING_MODE: 'structured',
    ...extra,
  };
}

class RunningServer implements ServerProcess {
  readonly pid: number;
  readonly url: string;
  readonly grpcAddress: string;
  readonly dataDir: string;
  readonly ports: Ports;
  readonly #child: ChildProcess;
  /** Whether nobody else knows of the data directory. */
  readonly #ownsDataDir: boolean;
  readonly #chunks: Buffer[] = [];
  readonly #ended: Promise<ProcessExit>;
  #exit: ProcessExit | undefined;

  constructor(child: ChildProcess, dataDir: string, ports: Ports, ownsDataDir: boolean) {
    this.pid = child.pid ?? 0;
    this.url = `http://127.0.0.1:${ports.http}`;
    this.grpcAddress = `127.0.0.1:${ports.grpc}`;
    this.dataDir = dataDir;
    this.ports = ports;
    this.#child = child;
    this.#ownsDataDir = ownsDataDir;
    const file = process.env.E2E_SERVER_LOG ? createWriteStream(process.env.E2E_SERVER_LOG, { flags: 'a' }) : undefined;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#chunks.push(chunk);
        file?.write(chunk);
      });
    }
    this.#ended = new Promise((resolve) => {
      const end = (exit: ProcessExit) => {
        this.#exit = exit;
        resolve(exit);
      };
      child.once('error', () => end({ code: -1, signal: null }));
      child.once('exit', (code, signal) => end({ code, signal }));
    });
    // A test that fails half way must not leave a server behind.
    const killAtExit = () => {
      killAll(this.pid, processTree(this.pid));
      if (ownsDataDir) rmSync(dataDir, REMOVED);
    };
    process.once('exit', killAtExit);
    void this.#ended.then(() => process.off('exit', killAtExit));
  }

  output(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  exit(): ProcessExit | undefined {
    return this.#exit;
  }

  ended(): Promise<ProcessExit> {
    return this.#ended;
  }

  async stop(): Promise<ProcessExit> {
    if (!this.#exit) process.kill(this.pid, 'SIGTERM');
    const late = Symbol('late');
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<typeof late>((resolve) => {
      timer = setTimeout(() => resolve(late), STOP_MS_MAX);
    });
    const outcome = await Promise.race([this.#ended, timeout]);
    clearTimeout(timer);
    if (outcome === late) {
      await this.kill9();
      throw new Error(`the server did not end within ${STOP_MS_MAX} ms of SIGTERM:\n${this.output()}`);
    }
    await this.#removeData();
    return outcome;
  }

  async kill9(): Promise<void> {
    if (this.#exit) return this.#removeData();
    const tree = processTree(this.pid);
    killAll(this.pid, tree);
    await this.#ended;
    await Promise.all(tree.map(untilGone));
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    await this.#removeData();
  }

  async #removeData(): Promise<void> {
    if (this.#ownsDataDir) await removeDataDir(this.dataDir);
  }

  async killPostgres(): Promise<void> {
    await Promise.all(this.#signalPostgres('SIGKILL').map(untilGone));
  }

  signalPostgres(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#signalPostgres(signal);
  }

  #signalPostgres(signal: NodeJS.Signals): number[] {
    const pids = processTree(this.pid).filter((pid) => /^postgres: |\/bin\/postgres\0/.test(commandLine(pid)));
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // Gone already.
      }
    }
    return pids;
  }

  async killServerAlone(): Promise<number[]> {
    if (this.#exit) return [];
    const [, ...started] = processTree(this.pid);
    process.kill(this.pid, 'SIGKILL');
    await this.#ended;
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    return started;
  }
}

/** The group first, in one step as a power cut would; then whoever left the group. */
function killAll(group: number, pids: readonly number[]): void {
  for (const pid of [-group, ...pids]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}

/** Postgres holds its files until the kernel has reaped it. */
async function untilGone(pid: number): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    try {
      const state = /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      if (state === 'Z') return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
