export type RouteParams = Readonly<Record<string, string>>;

/** Values of the `:name` segments of a pattern. Undefined if the path does not match. */
export function matchPath(pattern: string, path: string): RouteParams | undefined {
  const expected = pattern.split('/');
  const given = path.replace(/(.)\/$/, '$1').split('/');
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const value = given[index]!;
    if (!segment.startsWith(':')) {
      if (segment !== value) return undefined;
      continue;
    }
    if (value === '') return undefined;
    try {
      params[segment.slice(1)] = decodeURIComponent(value);
    } catch {
      return undefined;
    }
  }
  return params;
}
