import type { Caller } from '../../model/access/caller.ts';
import type { Access } from '../../model/access/rights.ts';
import type { GrpcEncoding } from './grpc-call.ts';
import type { GrpcStatus } from './grpc-status.ts';

/** One unary method. Messages are bytes as received; the handler decodes them in a thread of its choice. */
export interface GrpcMethod {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly access: Access;
  /** Same as `Route.blockedWhenStorageFull`. */
  readonly blockedWhenStorageFull?: boolean;
  /** Called before the message is received: an error here rejects the call early. */
  readonly admit?: () => Error | undefined;
  readonly handle: (call: GrpcCall) => Promise<Uint8Array>;
  /** Called for each call that is rejected before `handle`, except when the client has disconnected. */
  readonly onRejected?: (call: Pick<GrpcCall, 'remoteAddress' | 'header'>, status: GrpcStatus) => void;
}

export interface GrpcCall {
  /**
   * Message as received, possibly compressed. The handler owns it: its ArrayBuffer holds nothing else and may be
   * transferred.
   */
  readonly message: Uint8Array<ArrayBuffer>;
  readonly encoding: GrpcEncoding;
  readonly remoteAddress: string;
  readonly caller: Caller;
  /** First value of a metadata entry by its lower-case name. */
  header(name: string): string | undefined;
}
