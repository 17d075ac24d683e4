/** Headers as `fetch` takes them. Undefined and null values are left out. */
export type HeadersInput = Headers | readonly (readonly [string, string])[] | Readonly<Record<string, unknown>>;

/** Headers of requests, by lower-case name. */
export type HeaderMap = Readonly<Record<string, string>>;

/**
 * Headers of a variable: a JSON object of strings, or `name=value,name2=value2` with percent-encoded parts. Entries that
 * are neither are left out and told to `warn`, without their values.
 */
export function parseHeaders(text: string, warn: (message: string) => void): HeaderMap {
  const headers = new Map<string, string>();
  const entries = text.trimStart().startsWith('{') ? jsonEntries(text) : text.split(',').map(toEntry);
  for (const [name, value] of entries ?? []) {
    if (isHeader(name, value)) headers.set(name.toLowerCase(), value);
    else warn('An entry of the variable CLIENT_HEADERS is no header, so it is left out.');
  }
  if (!entries) warn('The variable CLIENT_HEADERS is no JSON object, so it is ignored.');
  return Object.fromEntries(headers);
}

function jsonEntries(text: string): [string, unknown][] | undefined {
  try {
    return Object.entries(JSON.parse(text) as object);
  } catch {
    return undefined;
  }
}

function toEntry(part: string): [string, unknown] {
  const at = part.indexOf('=');
  try {
    return [
      decodeURIComponent(part.slice(0, at).trim()),
      at < 0 ? undefined : decodeURIComponent(part.slice(at + 1).trim()),
    ];
  } catch {
    return ['', undefined];
  }
}

const isHeader = (name: string, value: unknown): value is string =>
  typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

/** The given headers as a map with lower-case names; undefined and null values are left out. */
export function toHeaderMap(headers: HeadersInput | undefined): HeaderMap {
  if (!headers) return {};
  const entries: Iterable<readonly [string, unknown]> =
    headers instanceof Headers
      ? headers.entries()
      : Symbol.iterator in headers
        ? (headers as readonly (readonly [string, string])[])
        : Object.entries(headers);
  return Object.fromEntries(
    [...entries]
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
