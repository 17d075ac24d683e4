import { getPreferences } from '../preferences/preferences.ts';
import { appPath } from './app-url.ts';

/** Parameters of the address for a time range, which `time-range/` reads. */
export const RANGE_PARAMS = ['timeRangeKey', 'timeRangeStart', 'timeRangeEnd'] as const;

/**
 * Pages with a time range: the list of projects, the tables and charts of a project, its dashboards, and the calls of a
 * prompt.
 */
const RANGED =
  /^(\/|\/projects|\/projects\/[^/]+(\/(spans|traces|sessions|metrics))?|\/dashboards\/projects\/[^/]+(\/[^/]+)?|\/prompts\/[^/]+\/production)$/;
const PROJECTS = /^(\/|\/projects)$/;

export const hasRange = (search: URLSearchParams): boolean => RANGE_PARAMS.some((name) => search.has(name));

/**
 * Adds a time range to an address of the interface that has none: the range of the current address if it is in the same
 * project or is the list of projects, otherwise the relative range that the user chose last.
 */
export function carryRange(to: string): string {
  const [path = '', query = ''] = to.split('?');
  const search = new URLSearchParams(query);
  if (!RANGED.test(path) || hasRange(search)) return to;
  const here = new URLSearchParams(window.location.search);
  if (hasRange(here) && isNear(path)) {
    for (const name of RANGE_PARAMS) {
      const value = here.get(name);
      if (value !== null) search.set(name, value);
    }
  } else {
    search.set('timeRangeKey', getPreferences().timeRangeKey);
  }
  return `${path}?${search}`;
}

function isNear(path: string): boolean {
  const here = appPath(window.location.pathname);
  const projectOf = (path: string) =>
    path
      .replace(/^\/dashboards/, '')
      .split('/', 3)
      .join('/');
  return PROJECTS.test(here) || (!PROJECTS.test(path) && projectOf(here) === projectOf(path));
}
