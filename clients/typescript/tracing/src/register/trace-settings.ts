import { checkBaseUrl, type HeaderMap, openLookups, readSettings, readVariable } from '@spandrel/client/settings';

/** Where spans go, and in which project. */
export interface TraceSettings {
  /** Complete address of OTLP over HTTP. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: HeaderMap;
  readonly projectName: string;
}

/** Explicit settings come first; those of the environment fill what is left. */
export interface GivenSettings {
  readonly url?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly projectName?: string | undefined;
}

/**
 * Settings of the call, the environment and the hand-off file.
 *
 * @throws {ArgumentError} when an address is none
 */
export function readTraceSettings(given: GivenSettings, warn: (message: string) => void): TraceSettings {
  const environment = readSettings(warn);
  const own = Object.entries(given.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    url: given.url === undefined ? readUrl(warn) : ensureCollectorEndpoint(given.url),
    headers: {
      ...environment.headers,
      ...(given.apiKey && { authorization: `Bearer ${given.apiKey}` }),
      ...Object.fromEntries(own),
    },
    projectName: given.projectName ?? environment.projectName ?? 'default',
  };
}

/** The address with `/v1/traces` at its end, once. */
export const ensureCollectorEndpoint = (url: string): string =>
  `${checkBaseUrl(url, 'url').replace(/\/v1\/traces$/, '')}/v1/traces`;

/** An address for traces comes before one of the server; a file comes before the process only for the same variable. */
function readUrl(warn: (message: string) => void): string {
  const { process, handoff } = openLookups(warn);
  const traces = readVariable('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const otlp = readVariable('OTEL_EXPORTER_OTLP_ENDPOINT');
  const hasOther = traces !== undefined || otlp !== undefined || process('ENDPOINT') !== undefined;
  const collector = process('COLLECTOR_ENDPOINT') ?? handoff('COLLECTOR_ENDPOINT');
  if (collector) return toTracesUrl(collector.value, collector.source);
  if (traces) return checkBaseUrl(traces, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  if (otlp) return toTracesUrl(otlp, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const endpoint = process('ENDPOINT') ?? (hasOther ? undefined : handoff('ENDPOINT'));
  if (endpoint) return toTracesUrl(endpoint.value, endpoint.source);
  // HOST and PORT, which other programs of the same environment use.
  return ensureCollectorEndpoint(readSettings(warn).baseUrl);
}

const toTracesUrl = (value: string, source: string): string => ensureCollectorEndpoint(checkBaseUrl(value, source));
