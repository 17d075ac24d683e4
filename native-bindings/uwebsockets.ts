import { createRequire } from 'node:module';

/**
 * uWebSockets.js, loaded if any of its binaries fits this process. Its own typings cannot be resolved by an ES module,
 * so the part that `src/server` uses is declared here.
 */
export type UWebSocketsLoad =
  | { readonly state: 'loaded'; readonly uws: UWebSockets; readonly packageName: string }
  /** For one line of warning: what each package said. */
  | { readonly state: 'absent'; readonly reason: string };

/** The newer first; it wants Node 22 and glibc 2.38 at least, and where it does not load the older one may. */
const PACKAGES = ['uws-node24', 'uws-node20'] as const;

/**
 * @param headerBytesMax Request line and headers above this are answered 431 by uWebSockets.js itself. Read by the
 *   addon once, when it is first loaded in a process, so the first call decides.
 */
export function loadUWebSockets(headerBytesMax: number): UWebSocketsLoad {
  // The addon knows no other way to be told; without it, headers above 4 KiB are refused.
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

/** Of what `require` says, the line that names the cause. */
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
  /** Without it two processes share a port in silence (SO_REUSEPORT). */
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

export interface UwsApp {
  any(pattern: string, handler: (res: UwsResponse, req: UwsRequest) => void): UwsApp;
  /** Called with the change of the connection count, 1 or -1. */
  filter(handler: (res: UwsResponse, change: number) => void): UwsApp;
  listen(host: string, port: number, options: number, onListen: (socket: UwsListenSocket | false) => void): UwsApp;
  /** Cuts every connection; their `onAborted` handlers run. */
  close(): UwsApp;
}

/** Readable only until the route handler returns. */
export interface UwsRequest {
  getUrl(): string;
  getQuery(): string | undefined;
  getCaseSensitiveMethod(): string;
  forEach(visit: (name: string, value: string) => void): void;
}

/** Usable until it was ended or `onAborted` was called; then any call throws. */
export interface UwsResponse {
  writeStatus(status: string): UwsResponse;
  writeHeader(name: string, value: string): UwsResponse;
  /** False when the bytes had to be buffered; they are sent all the same. */
  write(chunk: Uint8Array): boolean;
  end(body?: Uint8Array | string, closeConnection?: boolean): UwsResponse;
  endWithoutBody(): UwsResponse;
  /** [all of the chunk was taken, the response is complete]; what was not taken must be offered again. */
  tryEnd(chunk: Uint8Array, totalBytes: number): [boolean, boolean];
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): UwsResponse;
  onAborted(handler: () => void): UwsResponse;
  /** The chunk's memory is gone once the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse;
  /** Reads no more. */
  pause(): void;
  /** After a pause only. Also starts the idle clock anew, and forgets to wait until the connection is writable. */
  resume(): void;
  close(): UwsResponse;
  cork(write: () => void): UwsResponse;
  getRemoteAddressAsText(): ArrayBuffer;
}
