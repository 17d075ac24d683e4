import { Counter, Gauge, Histogram, type Registry, Summary } from 'prom-client';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface HttpMetrics {
  readonly inFlight: Gauge;
  /** `route` is the pattern of the route, or `unmatched`, because callers must not create new labels. */
  answered(method: string, route: string, status: number, seconds: number): void;
  aborted(): void;
  /** Counts a handler that failed through no fault of the caller. */
  failed(method: string, route: string, error: unknown): void;
  received(bytes: number): void;
  sent(bytes: number): void;
}

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'spandrel_http_requests_total',
    help: 'HTTP requests with a response, by method, route pattern and status.',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  });
  const duration = new Histogram({
    name: 'spandrel_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the response.',
    labelNames: ['method', 'route'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  // These are the names that dashboards of the reference use.
  const processing = new Summary({
    name: 'starlette_requests_processing_time_seconds_summary',
    help: 'Number and total duration of requests, by method and route pattern.',
    labelNames: ['method', 'path'] as const,
    percentiles: [],
    registers,
  });
  const exceptions = new Counter({
    name: 'starlette_exceptions_total',
    help: 'Requests that failed because of an internal error.',
    labelNames: ['method', 'path', 'exception_type'] as const,
    registers,
  });
  const aborted = new Counter({
    name: 'spandrel_http_requests_aborted_total',
    help: 'Requests whose client disconnected before the response was complete.',
    registers,
  });
  const received = new Counter({
    name: 'spandrel_http_request_body_bytes_total',
    help: 'Bytes of request bodies as received.',
    registers,
  });
  const sent = new Counter({
    name: 'spandrel_http_response_body_bytes_total',
    help: 'Bytes of response bodies as sent.',
    registers,
  });
  const inFlight = new Gauge({
    name: 'spandrel_http_requests_in_flight',
    help: 'HTTP requests that are being received or handled, or whose response is being sent.',
    registers,
  });
  return {
    inFlight,
    answered(method, route, status, seconds) {
      const known = METHODS.has(method) ? method : 'OTHER';
      requests.inc({ method: known, route, status });
      duration.observe({ method: known, route }, seconds);
      processing.observe({ method: known, path: route }, seconds);
    },
    failed(method, path, error) {
      const exception_type = error instanceof Error ? error.constructor.name : typeof error;
      exceptions.inc({ method: METHODS.has(method) ? method : 'OTHER', path, exception_type });
    },
    aborted: () => aborted.inc(),
    received: (bytes) => received.inc(bytes),
    sent: (bytes) => sent.inc(bytes),
  };
}
