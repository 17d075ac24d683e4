import { ArgumentError } from '../http/errors.ts';
import { readVariable } from './environment.ts';
import { findHandoffFile } from './handoff-file.ts';
import { type HeaderMap, parseHeaders } from './headers.ts';

/** Our prefix, and that of the product whose programs people already have settings for. */
const PREFIXES = ['SPANDREL_', 'PHOENIX_'];
const LOCATION = ['ENDPOINT', 'COLLECTOR_ENDPOINT', 'HOST', 'PORT'];
const CREDENTIALS = ['API_KEY', 'CLIENT_HEADERS'];
const PROJECT = ['PROJECT', 'PROJECT_NAME'];
const DEFAULT_PORT = '6006';

/** What the environment and the hand-off file say. */
export interface EnvironmentSettings {
  readonly baseUrl: string;
  readonly baseUrlSource: 'environment' | 'default';
  readonly headers: HeaderMap;
  readonly projectName: string | undefined;
}

type Warn = (message: string) => void;
/** Finds a setting by its name without the prefix; `source` names the variable and the file. */
export type Lookup = (name: string) => { readonly value: string; readonly source: string } | undefined;

/**
 * Reads address, credentials and project. A group of settings comes from the process if it has any of them, else from the
 * hand-off file.
 */
export function readSettings(warn: Warn): EnvironmentSettings {
  const { process, handoff, filePath } = openLookups(warn);
  const groupOf = (names: readonly string[], also = false) =>
    also || names.some((name) => process(name)) ? process : handoff;
  const location = groupOf(LOCATION, readVariable('OTEL_EXPORTER_OTLP_ENDPOINT') !== undefined);
  const own = process('ENDPOINT') ?? handoff('ENDPOINT');
  const address = (own && toAddress(own)) ?? readAddress(location) ?? readAddress(handoff);
  const credentials = groupOf(CREDENTIALS);
  if (filePath && own?.source.includes(filePath) && credentials === process && process('API_KEY')) {
    warn(`The key of the process will be sent to the address in ${filePath}.`);
  }
  return {
    baseUrl: address ?? `http://localhost:${DEFAULT_PORT}`,
    baseUrlSource: address ? 'environment' : 'default',
    headers: readHeaders(credentials, warn),
    projectName: readProject(groupOf(PROJECT), warn),
  };
}

/** Where settings are looked up: the variables of the process, and the hand-off file if there is one. */
export function openLookups(warn: Warn): {
  readonly process: Lookup;
  readonly handoff: Lookup;
  readonly filePath: string | undefined;
} {
  const file = isDiscoveryOff() ? undefined : findHandoffFile(warn);
  return {
    process: (name) => findIn((key) => readVariable(key), name),
    handoff: (name) => findIn((key) => file?.values.get(key), name, file?.path),
    filePath: file?.path,
  };
}

const isDiscoveryOff = (): boolean =>
  PREFIXES.some((prefix) =>
    ['false', '0', 'no', 'off'].includes((readVariable(`${prefix}DISCOVER_CONFIG`) ?? '').toLowerCase()),
  );

function findIn(read: (key: string) => string | undefined, name: string, path?: string) {
  for (const prefix of PREFIXES) {
    const value = read(prefix + name);
    if (value) return { value, source: path ? `${prefix}${name} in ${path}` : prefix + name };
  }
  return undefined;
}

function readAddress(lookup: Lookup): string | undefined {
  const endpoint = lookup('ENDPOINT');
  if (endpoint) return toAddress(endpoint);
  const otlp = readVariable('OTEL_EXPORTER_OTLP_ENDPOINT');
  const collector =
    lookup('COLLECTOR_ENDPOINT') ?? (otlp ? { value: otlp, source: 'OTEL_EXPORTER_OTLP_ENDPOINT' } : undefined);
  if (collector) return toAddress({ ...collector, value: withoutTracesPath(collector.value) });
  const base = lookup('BASE_URL');
  if (base) return toAddress(base);
  const host = lookup('HOST');
  if (!host) return undefined;
  if (/^https?:\/\//.test(host.value)) return toAddress(host);
  const name = host.value.replace(/^0\.0\.0\.0(?=:|$)/, '127.0.0.1');
  const port = lookup('PORT')?.value ?? DEFAULT_PORT;
  return toAddress({ ...host, value: `http://${name.includes(':') ? name : `${name}:${port}`}` });
}

const withoutTracesPath = (url: string): string => url.replace(/\/v1\/traces\/?(?=$|[?#])/, '');

const toAddress = ({ value, source }: { readonly value: string; readonly source: string }): string =>
  checkBaseUrl(value, source);

/**
 * The address without a slash at its end.
 *
 * @throws {ArgumentError} when it is no http or https address, or has a user and a password
 */
export function checkBaseUrl(value: string, source: string): string {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new ArgumentError(
      `${source} is no address. Expected http://host:port or https://host, received "${value.slice(0, 200)}".`,
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ArgumentError(
      `${source} must begin with http:// or https://, such as http://localhost:6006; received "${value.slice(0, 200)}".`,
    );
  }
  if (url.username || url.password) {
    throw new ArgumentError(
      `${source} must not contain a user and a password. Set SPANDREL_API_KEY or a header instead.`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function readHeaders(lookup: Lookup, warn: Warn): HeaderMap {
  const key = lookup('API_KEY')?.value;
  const text = lookup('CLIENT_HEADERS')?.value;
  const headers = text ? parseHeaders(text, warn) : {};
  return key ? { ...headers, authorization: `Bearer ${key}` } : headers;
}

function readProject(lookup: Lookup, warn: Warn): string | undefined {
  const project = lookup('PROJECT')?.value;
  const name = lookup('PROJECT_NAME')?.value;
  if (project && name && project !== name) warn('PROJECT and PROJECT_NAME differ; PROJECT is used.');
  return project ?? name;
}
