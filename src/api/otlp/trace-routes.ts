import * as zlib from 'node:zlib';
import type { Caller } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import { BODY_BYTES_MAX } from '../../model/limits/requests.ts';
import { formatUnixNano } from '../../model/time/datetime.ts';
import type { ActivityBin, Ingest, IngestClient, IngestError, IngestStatus, OtlpRequest } from '../../ingest/ingest.ts';
import { errorResponse, errorTextResponse } from '../../server/error-response.ts';
import { type HttpRequest, type HttpResponse, jsonTextResponse, type Route } from '../../server/route.ts';
import { encodeExportResponse, exportResponseJson } from './export-response.ts';

const PROTOBUF = 'application/x-protobuf';

/** The path of OTLP, and those to which libraries for other servers send when only the address of the server is changed. */
export const TRACE_PATHS = [
  '/v1/traces',
  '/otel/v1/traces',
  '/v1/otel/v1/traces',
  '/api/public/otel/v1/traces',
  '/api/v1/private/otel/v1/traces',
] as const;

/** Decides in which projects a caller may store spans (`OtlpRequest.mayStoreIn`). */
export type MayStoreIn = (caller: Caller) => OtlpRequest['mayStoreIn'];

/** OTLP over HTTP, the list of rejections, and the ingest status. */
export const otlpRoutes = (ingest: Ingest, mayStoreIn: MayStoreIn): Route[] => [
  ...TRACE_PATHS.map(
    (path): Route => ({
      method: 'POST',
      path,
      access: 'send',
      blockedWhenStorageFull: true,
      bodyBytesMax: BODY_BYTES_MAX,
      // Checks the capacity before the content type, so that an exporter gets the error on which it retries.
      admit: (request) => toRejection(ingest.findRejection(request.contentLength ?? 0)) ?? unsupported(request),
      handle: (request) => exportTraces(ingest, mayStoreIn, request),
      onRejected: (request, { status, body }) =>
        ingest.recordRejection({
          from: senderOf(request),
          reason: typeof body === 'string' ? body : `Status ${status}`,
        }),
    }),
  ),
  {
    method: 'GET',
    path: '/v1/ingest/errors',
    access: 'viewer',
    bodyBytesMax: 0,
    handle({ caller }) {
      // A reason names spans, which may belong to projects that are hidden from the caller.
      const hidesReasons = mayStoreIn(caller) !== undefined;
      const errors = ingest.latestErrors().map((error) => (hidesReasons ? withoutNames(error) : error));
      return jsonTextResponse(200, JSON.stringify({ data: errors.map(toJson) }));
    },
  },
  {
    method: 'GET',
    path: '/v1/ingest/status',
    access: 'viewer',
    bodyBytesMax: 0,
    handle: async () => jsonTextResponse(200, JSON.stringify({ data: toStatusJson(await ingest.status()) })),
  },
];

async function exportTraces(ingest: Ingest, mayStoreIn: MayStoreIn, request: HttpRequest): Promise<HttpResponse> {
  const format = formatOf(request.header('content-type'));
  const encoding = encodingOf(request.header('content-encoding'));
  if (format === undefined || encoding === undefined) throw new Error('The request should have been rejected by admit');
  const projectName = request.header('x-project-name');
  try {
    const acknowledgement = await ingest.submitOtlp({
      format,
      encoding,
      body: request.body,
      from: senderOf(request),
      mayStoreIn: mayStoreIn(request.caller),
      ...(projectName ? { projectName } : {}),
    });
    if (format === 'json') return jsonTextResponse(200, exportResponseJson(acknowledgement));
    return { status: 200, headers: { 'content-type': PROTOBUF }, body: encodeExportResponse(acknowledgement) };
  } catch (error) {
    return toRejection(error) ?? Promise.reject(error);
  }
}

const senderOf = (request: Pick<HttpRequest, 'remoteAddress' | 'header'>): OtlpRequest['from'] => ({
  source: 'http',
  remoteAddress: request.remoteAddress,
  userAgent: request.header('user-agent'),
});

/** The response to an expected error of ingest. Undefined if there is none, or for a programming error. */
function toRejection(error: unknown): HttpResponse | undefined {
  const response = errorResponse(error);
  if (response === undefined || !(error instanceof SpandrelError)) return response;
  if (error.kind === 'invalid') return errorTextResponse(error.code, MALFORMED_TEXT);
  if (error.kind === 'overloaded' && error.code !== 'DISK_FULL')
    return errorTextResponse(error.code, AT_CAPACITY_TEXT, { ...RETRY_HEADERS(response) });
  return response;
}

const MALFORMED_TEXT = 'Request body is invalid ExportTraceServiceRequest';
const AT_CAPACITY_TEXT = 'Server is at capacity and cannot process more requests';
const RETRY_HEADERS = ({ headers }: HttpResponse) => ({ 'retry-after': headers?.['retry-after'] ?? '1' });

function unsupported(request: Pick<HttpRequest, 'header'>): HttpResponse | undefined {
  const contentType = request.header('content-type');
  if (formatOf(contentType) === undefined) {
    return errorTextResponse('CONTENT_TYPE_UNSUPPORTED', `Unsupported content type: ${contentType ?? 'None'}`);
  }
  const contentEncoding = request.header('content-encoding');
  if (encodingOf(contentEncoding) !== undefined) return undefined;
  return errorTextResponse('CONTENT_ENCODING_UNSUPPORTED', `Unsupported content encoding: ${contentEncoding}`);
}

function formatOf(contentType: string | undefined): OtlpRequest['format'] | undefined {
  if (contentType === PROTOBUF) return 'protobuf';
  return /^application\/json\s*(;|$)/i.test(contentType ?? '') ? 'json' : undefined;
}

function encodingOf(contentEncoding: string | undefined): OtlpRequest['encoding'] | undefined {
  // Names of content codings are case-insensitive (RFC 9110).
  const name = (contentEncoding ?? '').trim().toLowerCase();
  switch (name) {
    case '':
    case 'identity':
      return 'identity';
    case 'gzip':
    case 'deflate':
      return name;
    case 'zstd':
      // Node supports zstd from 22.15 on.
      return 'zstdDecompress' in zlib ? 'zstd' : undefined;
    default:
      return undefined;
  }
}

/** The reason without what follows its first colon: texts of the request. */
const withoutNames = (error: IngestError): IngestError => ({ ...error, reason: error.reason.replace(/:.*/s, '') });

const toJson = (error: IngestError) => ({
  at: toTime(error.at.getTime()),
  source: error.source,
  remote_address: error.remoteAddress,
  reason: error.reason,
  rejected_span_count: error.rejectedSpanCount,
  body_bytes: error.bodyBytes,
});

const toStatusJson = (status: IngestStatus) => ({
  accepted_span_count: status.acceptedSpanCount,
  rejected_span_count: status.rejectedSpanCount,
  rejected_request_counts: status.rejectedRequestCounts,
  duplicate_span_count: status.duplicateSpanCount,
  differing_span_count: status.differingSpanCount,
  dropped_annotation_count: status.droppedAnnotationCount,
  set_aside_count: status.quarantinedCount,
  failed_batch_count: status.failedBatchCount,
  queued_span_count: status.queuedSpanCount,
  backlog_bytes: status.backlogBytes,
  backlog_bytes_max: status.backlogBytesMax,
  lag_seconds: status.lagSeconds,
  in_flight_bytes: status.inFlightBytes,
  activity: status.bins.map((bin) => ({ start: toTime(bin.startMs), ...toCounts(bin) })),
  clients: status.clients.map((client) => ({
    user_agent: client.userAgent,
    source: client.source,
    remote_address: client.remoteAddress,
    last_seen_at: toTime(client.lastSeenAtMs),
    ...toCounts(client),
  })),
});

const toCounts = (counts: Omit<ActivityBin, 'startMs'> | IngestClient) => ({
  request_count: counts.requestCount,
  rejected_request_count: counts.rejectedRequestCount,
  span_count: counts.spanCount,
  rejected_span_count: counts.rejectedSpanCount,
});

const toTime = (ms: number): string => formatUnixNano(BigInt(ms) * 1_000_000n);
