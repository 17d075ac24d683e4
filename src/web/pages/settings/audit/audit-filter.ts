import { ACTION_NAMES } from './audit-names.ts';
import type { SettingsAuditVariables } from './generated/audit.ts';

/** Filter of the audit log, as the address of the page contains it. */
export interface AuditFilter {
  readonly action: string | undefined;
  readonly outcome: 'DONE' | 'DENIED' | undefined;
  readonly person: string;
  readonly target: string;
  /** A key of `RANGES`. Undefined: any time, or `from` and `until`. */
  readonly range: string | undefined;
  /** Times as ms since the epoch. */
  readonly from: number | undefined;
  readonly until: number | undefined;
}

const DAY_MS = 86_400_000;

/** Ranges that end now, by their length. */
export const RANGES: ReadonlyMap<string, { readonly label: string; readonly ms: number }> = new Map([
  ['1h', { label: 'Last hour', ms: DAY_MS / 24 }],
  ['1d', { label: 'Last day', ms: DAY_MS }],
  ['7d', { label: 'Last 7 days', ms: 7 * DAY_MS }],
  ['30d', { label: 'Last 30 days', ms: 30 * DAY_MS }],
]);

const OUTCOMES = ['DONE', 'DENIED'] as const;

/** Unknown values of an address count as absent. */
export function readFilter(search: URLSearchParams): AuditFilter {
  const action = search.get('action') ?? '';
  const range = search.get('range') ?? '';
  const timeOf = (name: string) => {
    const time = Date.parse(search.get(name) ?? '');
    return Number.isNaN(time) ? undefined : time;
  };
  const isRelative = RANGES.has(range);
  return {
    action: ACTION_NAMES.has(action) ? action : undefined,
    outcome: OUTCOMES.find((each) => each === search.get('outcome')),
    person: search.get('person') ?? '',
    target: search.get('target') ?? '',
    range: isRelative ? range : undefined,
    from: isRelative ? undefined : timeOf('from'),
    until: isRelative ? undefined : timeOf('until'),
  };
}

export const NO_FILTER = {
  action: null,
  outcome: null,
  person: null,
  target: null,
  range: null,
  from: null,
  until: null,
} as const;

export const isFiltered = (filter: AuditFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined && value !== '');

function boundsOf({ range, from, until }: AuditFilter, now: number) {
  const ms = RANGES.get(range ?? '')?.ms;
  const toText = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
  return { start: toText(ms === undefined ? from : now - ms), end: toText(until) };
}

export function toApiFilter(filter: AuditFilter, now: number): SettingsAuditVariables['filter'] {
  const { action, outcome, person, target } = filter;
  const { start, end } = boundsOf(filter, now);
  return {
    ...(action !== undefined && { action }),
    ...(outcome !== undefined && { outcome }),
    ...(person !== '' && { username: person }),
    ...(target !== '' && { target }),
    ...((start ?? end) !== undefined && {
      timeRange: { ...(start !== undefined && { start }), ...(end !== undefined && { end }) },
    }),
  };
}

/** Path of the filtered entries as CSV. */
export function toCsvPath(filter: AuditFilter, now: number): string {
  const { action, outcome, person, target } = filter;
  const { start, end } = boundsOf(filter, now);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({
    action,
    outcome,
    username: person,
    target,
    start_time: start,
    end_time: end,
  })) {
    if (value) query.set(name, value);
  }
  return `v1/audit_log/csv?${query}`;
}
