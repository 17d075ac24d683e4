import { type ErrorCode, type ErrorKind, INTERNAL_ERROR_CODE, SpandrelError } from '../../model/errors.ts';
import { RETRY_AFTER_SECONDS } from '../../model/limits/ingest.ts';

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
  /** Absent for a status of the protocol itself, such as an unknown method. */
  readonly errorCode?: ErrorCode | typeof INTERNAL_ERROR_CODE;
  /** A google.rpc.Status for the trailer `grpc-status-details-bin`. */
  readonly detailsBin?: Buffer;
}

/**
 * Exporters retry on UNAVAILABLE, and on RESOURCE_EXHAUSTED only with RetryInfo. On every other code they drop the
 * batch.
 */
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

/** Status of an unexpected error. */
export const INTERNAL_STATUS: GrpcStatus = {
  code: GrpcCode.INTERNAL,
  details: 'Internal Server Error',
  errorCode: INTERNAL_ERROR_CODE,
};

/** Status of an expected error. Undefined for an unexpected one. */
export function grpcStatus(error: SpandrelError): GrpcStatus;
export function grpcStatus(error: unknown): GrpcStatus | undefined;
export function grpcStatus(error: unknown): GrpcStatus | undefined {
  if (!(error instanceof SpandrelError)) return undefined;
  const code = CODE_OF_KIND[error.kind];
  const status = { code, details: error.message, errorCode: error.code };
  return error.kind === 'overloaded' ? { ...status, detailsBin: statusWithRetryInfo(code, error.message) } : status;
}

/**
 * Encodes google.rpc.Status { code = 1; message = 2; details = 3 } with one google.rpc.RetryInfo { retry_delay = 1 } in
 * a google.protobuf.Any. Written by hand, because it is the only message that is encoded here.
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
