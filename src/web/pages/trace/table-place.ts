/** What of the address belongs to an open trace or session; the rest is of the table that it is a row of. */
const OPEN_PARAMS = [
  'selectedSpanNodeId',
  'spanView',
  'traceView',
  'aside',
  'selectedTraceId',
  'sessionView',
  'turn',
] as const;

/** The query of a table, from the address of the table or of one of its rows. */
export function tableQuery(search: URLSearchParams): string {
  const kept = new URLSearchParams(search);
  for (const name of OPEN_PARAMS) kept.delete(name);
  return kept.toString();
}

/** The table that the address of a row names; `path` is the path of the row. */
export function tablePlace(path: string, search: URLSearchParams): string {
  const query = tableQuery(search);
  return `${toCanonical(path.slice(0, path.lastIndexOf('/')))}${query && `?${query}`}`;
}

/** Paths that people type may leave characters as they are that our links encode. */
export const toCanonical = (path: string): string =>
  path
    .split('/')
    .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
