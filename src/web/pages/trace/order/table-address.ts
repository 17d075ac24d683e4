/** Parameters of the address that belong to the open trace or session. The others belong to its table. */
const OPEN_PARAMS = [
  'selectedSpanNodeId',
  'spanView',
  'traceView',
  'aside',
  'selectedTraceId',
  'sessionView',
  'turn',
] as const;

/** Query of a table, from the address of the table or of one of its rows. */
export function tableQuery(search: URLSearchParams): string {
  const kept = new URLSearchParams(search);
  for (const name of OPEN_PARAMS) kept.delete(name);
  return kept.toString();
}

/** Table that the address of a row names. `path` is the path of the row. */
export function tablePlace(path: string, search: URLSearchParams): string {
  const query = tableQuery(search);
  return `${toCanonical(path.slice(0, path.lastIndexOf('/')))}${query && `?${query}`}`;
}

/** Encodes a path like our links do. A path that a user typed may contain unencoded characters. */
export const toCanonical = (path: string): string =>
  path
    .split('/')
    .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
