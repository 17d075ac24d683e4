import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';
import { ERROR_CODE_HEADER, SpandrelError } from '../../model/errors.ts';
import { BODY_BYTES_MAX } from '../../model/limits/requests.ts';
import type { BodyFailure } from '../http/request-body.ts';
import { GrpcCode, type GrpcStatus, grpcStatus } from './grpc-status.ts';

/** Supported message encodings. `deflate` means the zlib format. */
export const GRPC_ENCODINGS = ['identity', 'gzip', 'deflate'] as const;
export type GrpcEncoding = (typeof GRPC_ENCODINGS)[number];

export interface GrpcResponse extends GrpcStatus {
  /** The message that is sent with code OK. */
  readonly message?: Uint8Array;
}

/** Encoding of a compressed message. Undefined when the server does not support it. */
export function encodingOf(headers: IncomingHttpHeaders): GrpcEncoding | undefined {
  const encoding = headers['grpc-encoding'] ?? 'identity';
  return GRPC_ENCODINGS.find((known) => known === encoding);
}

/** HTTP status for a request that is not a gRPC call. Undefined for a gRPC call. */
export function httpRejection(headers: IncomingHttpHeaders): number | undefined {
  if (headers[':method'] !== 'POST') return 405;
  return /^application\/grpc(\+|;|$)/.test(headers['content-type'] ?? '') ? undefined : 415;
}

/** Exporters drop a batch on every status except UNAVAILABLE, DEADLINE_EXCEEDED and a few that servers never send. */
export function failureStatus(failure: BodyFailure): GrpcStatus {
  switch (failure.kind) {
    case 'tooLarge':
      return grpcStatus(new SpandrelError('BODY_TOO_LARGE', `The message is larger than ${BODY_BYTES_MAX} bytes`));
    case 'overBudget':
      return overloaded('Server is at capacity and cannot process more requests');
    // Only HTTP/1.1 has chunks.
    case 'misframed':
    case 'stalled':
      return { code: GrpcCode.DEADLINE_EXCEEDED, details: 'The message made no progress' };
    case 'aborted':
      return grpcStatus(new SpandrelError('CANCELLED', 'The client has disconnected'));
  }
}

export const overloaded = (message: string): GrpcStatus => grpcStatus(new SpandrelError('INGEST_OVERLOADED', message));

/** Ends a call. Further data of the client is not received. */
export function sendResponse(stream: ServerHttp2Stream, response: GrpcResponse): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  const head = { ':status': 200, 'content-type': 'application/grpc', 'grpc-accept-encoding': GRPC_ENCODINGS.join() };
  const { message } = response;
  if (message === undefined) stream.respond({ ...head, ...toTrailers(response) }, { endStream: true });
  else {
    stream.respond(head, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers(toTrailers(response)));
    const frame = Buffer.allocUnsafe(5 + message.byteLength);
    frame[0] = 0;
    frame.writeUInt32BE(message.byteLength, 1);
    frame.set(message, 5);
    stream.end(frame);
  }
  // A complete response to an incomplete request ends the call for both sides (RFC 9113, 8.1).
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
}

/** Replaces lone surrogates, which cannot be percent-encoded. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

function toTrailers({ code, details, detailsBin, errorCode }: GrpcStatus): Record<string, string> {
  return {
    'grpc-status': String(code),
    ...(details === '' ? {} : { 'grpc-message': encodeURI(wellFormed(details)) }),
    ...(errorCode === undefined ? {} : { [ERROR_CODE_HEADER]: errorCode }),
    ...(detailsBin === undefined ? {} : { 'grpc-status-details-bin': detailsBin.toString('base64') }),
  };
}
