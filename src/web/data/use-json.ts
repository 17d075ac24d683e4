import { getJson } from './get-json.ts';
import { type QueryResult, useRead } from './use-query.ts';

/** Reads a path of the REST API at an interval while the page is visible. */
export const useJson = <Data>(path: string, intervalMs: number): QueryResult<Data> =>
  useRead(['json', path], (signal) => getJson<Data>(path, signal), { intervalMs });
