import { createRequire } from 'node:module';

/**
 * uWebSockets.js, if one of its binaries supports this process. An ES module cannot resolve its typings, so the part
 * that `src/server` uses is declared here.
 */
export type UWebSocketsLoad =
  | { readonly state: 'loaded'; readonly uws: UWebSockets; readonly packageName: string }
  /** Why each package did not load, for one line of the log. */
  | { readonly state: 'absent'; readonly reason: string };

/** The newer one first. It needs Node 22 and glibc 2.38; the older one may load if it does not. */
const PACKAGES = ['uws-node24', 'uws-node20'] as const;

/**
 * @param headerBytesMax uWebSockets.js itself responds with 431 to a larger request line and headers. It reads this
 * value when it is first loaded in a process, so the first call decides.
 */
export function loadUWebSockets(headerBytesMax: number): UWebSocketsLoad {
  // uWebSockets.js reads only this variable. Without it, headers above 4 KiB are rejected.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(headerBytesMax);
  const require = createRequire(import.meta.url);
  const reasons: string[] = [];
  for (const packageName of PACKAGES) {
    try {
      return { state: 'loaded', uws: require(packageName) as UWebSockets, packageName };
    } catch (error) {
      reasons.push(`${packageName}: ${causeOf(error)}`);
    }
  }
  return { state: 'absent', reason: reasons.join('; ') };
}

/** The line of an error of `require` that names the cause. */
function causeOf(error: unknown): string {
  const lines = String(error instanceof Error ? error.message : error).split('\n');
  const cause = lines.find((line) => /GLIBC|Cannot find|was compiled/.test(line)) ?? lines[0] ?? 'unknown';
  return cause.replace(/^Error: /, '').trim();
}

export interface UWebSockets {
  App(): UwsApp;
  SSLApp(options: UwsTlsOptions): UwsApp;
  us_listen_socket_close(socket: UwsListenSocket): void;
  us_socket_local_port(socket: UwsListenSocket): number;
  /** Without this option, two processes can share a port silently (SO_REUSEPORT). */
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number;
}

export interface UwsTlsOptions {
  readonly key_file_name: string;
  readonly cert_file_name: string;
  readonly passphrase?: string;
  readonly ca_file_name?: string;
}

export interface UwsListenSocket {
  readonly brand: 'UwsListenSocket';
}

export interface UwsAppDescriptor {
  readonly brand: 'UwsAppDescriptor';
}

export interface UwsApp {
  any(pattern: string, handler: (res: UwsResponse, req: UwsRequest) => void): UwsApp;
  /** Called with the change of the connection count, 1 or -1. */
  filter(handler: (res: UwsResponse, change: number) => void): UwsApp;
  listen(host: string, port: number, options: number, onListen: (socket: UwsListenSocket | false) => void): UwsApp;
  /** Refers to this app in the calls of another one. */
  getDescriptor(): UwsAppDescriptor;
  /** From now on, the children handle all accepted connections; this app only accepts them. */
  addChildAppDescriptor(descriptor: UwsAppDescriptor): void;
  removeChildAppDescriptor(descriptor: UwsAppDescriptor): void;
  /** Closes every connection; their `onAborted` handlers run. */
  close(): UwsApp;
}

/** Readable only until the route handler returns. */
export interface UwsRequest {
  getUrl(): string;
  getQuery(): string | undefined;
  getCaseSensitiveMethod(): string;
  forEach(visit: (name: string, value: string) => void): void;
}

/** Usable until it has ended or `onAborted` was called. Any call after that throws. */
export interface UwsResponse {
  writeStatus(status: string): UwsResponse;
  writeHeader(name: string, value: string): UwsResponse;
  /** False if the bytes were buffered. They are sent anyway. */
  write(chunk: Uint8Array): boolean;
  end(body?: Uint8Array | string, closeConnection?: boolean): UwsResponse;
  endWithoutBody(): UwsResponse;
  /** [the whole chunk was accepted, the response is complete]. The remainder must be offered again. */
  tryEnd(chunk: Uint8Array, totalBytes: number): [boolean, boolean];
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): UwsResponse;
  onAborted(handler: () => void): UwsResponse;
  /** The memory of the chunk is valid until the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse;
  /** Stops reading. */
  pause(): void;
  /** Only after a pause. Also restarts the idle timeout, and no longer waits until the connection is writable. */
  resume(): void;
  close(): UwsResponse;
  cork(write: () => void): UwsResponse;
  getRemoteAddressAsText(): ArrayBuffer;
  /** Absent in the version for Node.js 20. */
  getRemotePort?(): number;
}
