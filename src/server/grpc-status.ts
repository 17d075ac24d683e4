import { type ErrorKind, SpandrelError } from '../model/errors.ts';
import { RETRY_AFTER_SECONDS } from '../model/limits.ts';

/** gRPC status codes that this server sends. */
export const GrpcCode = {
  OK: 0,
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

export interface GrpcStatus {
  readonly code: number;
  readonly details: string;
  /** A google.rpc.Status for the trailer `grpc-status-details-bin`. */
  readonly detailsBin?: Buffer;
}

/** Exporters retry on UNAVAILABLE, and on RESOURCE_EXHAUSTED only with RetryInfo; everything else drops the batch. */
const CODE_OF_KIND = {
  invalid: GrpcCode.INVALID_ARGUMENT,
  badRequest: GrpcCode.INVALID_ARGUMENT,
  unauthenticated: GrpcCode.UNAUTHENTICATED,
  forbidden: GrpcCode.PERMISSION_DENIED,
  notFound: GrpcCode.NOT_FOUND,
  conflict: GrpcCode.ALREADY_EXISTS,
  tooLarge: GrpcCode.RESOURCE_EXHAUSTED,
  unsupported: GrpcCode.INVALID_ARGUMENT,
  tooMany: GrpcCode.RESOURCE_EXHAUSTED,
  overloaded: GrpcCode.UNAVAILABLE,
  storageFull: GrpcCode.RESOURCE_EXHAUSTED,
  timedOut: GrpcCode.DEADLINE_EXCEEDED,
  cancelled: GrpcCode.CANCELLED,
} as const satisfies Record<ErrorKind, number>;

/** The status of an error that a caller can meet; undefined for a mistake of ours. */
export function grpcStatus(error: unknown): GrpcStatus | undefined {
  if (!(error instanceof SpandrelError)) return undefined;
  const code = CODE_OF_KIND[error.kind];
  if (error.kind !== 'overloaded') return { code, details: error.message };
  return { code, details: error.message, detailsBin: statusWithRetryInfo(code, error.message) };
}

/**
 * google.rpc.Status { code = 1; message = 2; details = 3 } with one google.rpc.RetryInfo { retry_delay = 1 } in a
 * google.protobuf.Any. By hand: it is the only message that we write here.
 */
function statusWithRetryInfo(code: number, message: string): Buffer {
  const duration = Buffer.from([0x08, RETRY_AFTER_SECONDS]);
  const retryInfo = field(1, duration);
  const any = Buffer.concat([field(1, Buffer.from('type.googleapis.com/google.rpc.RetryInfo')), field(2, retryInfo)]);
  return Buffer.concat([Buffer.from([0x08, code]), field(2, Buffer.from(message)), field(3, any)]);
}

function field(number: number, bytes: Buffer): Buffer {
  const lengthBytes: number[] = [];
  let length = bytes.byteLength;
  for (; length > 0x7f; length >>>= 7) lengthBytes.push((length & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...lengthBytes, length]), bytes]);
}
