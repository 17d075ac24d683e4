import { useEffect, useMemo } from 'react';
import { setPreference } from '../preferences/preferences.ts';
import { appUrl } from '../router/app-url.ts';
import { hasRange, RANGE_PARAMS } from '../router/carried-range.ts';
import { setSearch, useLocation, withSearch } from '../router/location.ts';
import { fromLocalText, toLocalText } from './zoned-text.ts';

/**
 * Time range of a page. A relative range has a length and an open end, so that new data appears; a fixed one has one
 * bound or both (ms since the epoch).
 */
export type ChosenRange =
  | { readonly kind: 'relative'; readonly key: string; readonly ms: number }
  | { readonly kind: 'fixed'; readonly start: number | undefined; readonly end: number | undefined };

type RelativeRange = Extract<ChosenRange, { readonly kind: 'relative' }>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Longer than the life of a project. A start before 1970 would have no Unix time in ns. */
const LENGTH_MS_MAX = 3_650 * DAY_MS;

const DURATION = /^(\d{1,7}(?:\.\d+)?)\s*(s|sec|secs|seconds?|m|min|mins|minutes?|h|hr|hrs|hours?|d|days?|w|weeks?)$/i;
/** Longest unit first. Weeks are parsed but never written, because 14 days is clearer than 2 weeks. */
const UNITS = [
  { letter: 'w', name: 'week', ms: 7 * DAY_MS },
  { letter: 'd', name: 'day', ms: DAY_MS },
  { letter: 'h', name: 'hour', ms: 3_600_000 },
  { letter: 'm', name: 'minute', ms: MINUTE_MS },
  { letter: 's', name: 'second', ms: 1_000 },
] as const;

/** Parses text such as `25m`, `2 hours` or `3d` to ms. Undefined for other text, and for more than ten years. */
export function parseDuration(text: string): number | undefined {
  const [, count, word = ''] = DURATION.exec(text.trim()) ?? [];
  const unit = UNITS.find(({ letter }) => letter === word.charAt(0).toLowerCase());
  if (count === undefined || !unit) return undefined;
  const ms = Number(count) * unit.ms;
  return ms > 0 && ms <= LENGTH_MS_MAX ? ms : undefined;
}

/** Converts a length to the longest unit that needs no fraction. */
function inUnit(ms: number) {
  const unit = UNITS.find((each) => each.letter !== 'w' && ms % each.ms === 0) ?? UNITS[4];
  return { count: ms / unit.ms, unit };
}

/** For example `Last 14 days` or `Last hour`. */
export function describeLength(ms: number): string {
  const { count, unit } = inUnit(ms);
  return count === 1 ? `Last ${unit.name}` : `Last ${count} ${unit.name}s`;
}

/** For example `14d` or `1h`. */
function toKey(ms: number): string {
  const { count, unit } = inUnit(ms);
  return `${count}${unit.letter}`;
}

const relativeRange = (ms: number): RelativeRange => ({ kind: 'relative', key: toKey(ms), ms });

export const PRESETS = ['15m', '1h', '12h', '1d', '7d', '30d'].map((key) => relativeRange(parseDuration(key)!));
/** Range of an address without a range, independent of the user. */
const DEFAULT_RANGE = relativeRange(7 * DAY_MS);

/** Today until now, and yesterday, in a time zone. */
export function daysAt(now: number, timeZone: string | undefined) {
  const midnightBefore = (time: number): number =>
    fromLocalText(`${toLocalText(time, timeZone).slice(0, 10)}T00:00:00`, timeZone) ?? time;
  const today = midnightBefore(now);
  return [
    { label: 'Today', range: { kind: 'fixed', start: today, end: undefined } },
    { label: 'Yesterday', range: { kind: 'fixed', start: midnightBefore(today - 1), end: today } },
  ] as const satisfies readonly { readonly label: string; readonly range: ChosenRange }[];
}

/** Time range of the current address. */
export function useChosenRange(): ChosenRange {
  const { search } = useLocation();
  // The same range is the same object, although other parts of the address change.
  const text = RANGE_PARAMS.map((name) => search.get(name)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for what is read
  return useMemo(() => readRange(search), [text]);
}

/** Adds the shown range to the address of a page, so that a copied address shares the range. */
export function useRangeInAddress(): void {
  const { search } = useLocation();
  // A saved view has its own range.
  const isMissing = !hasRange(search) && !search.has('view');
  useEffect(() => {
    if (isMissing) setSearch(toParams(DEFAULT_RANGE), { replaces: true });
  }, [isMissing]);
}

/** Reads the range from an address. Without a range it means seven days. */
export function readRange(search: URLSearchParams): ChosenRange {
  const [key, start, end] = RANGE_PARAMS.map((name) => search.get(name)) as [
    string | null,
    string | null,
    string | null,
  ];
  const [from, until] = [toTime(start), toTime(end)];
  if (from !== undefined || until !== undefined) return { kind: 'fixed', start: from, end: until };
  const ms = parseDuration(key ?? '');
  return ms === undefined || key === null ? DEFAULT_RANGE : { kind: 'relative', key, ms };
}

function toTime(text: string | null): number | undefined {
  const time = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Writes a range to the address and remembers a relative range as a preference. */
export function chooseRange(range: ChosenRange): void {
  if (range.kind === 'relative') setPreference('timeRangeKey', range.key);
  setSearch(toParams(range));
}

const toParams = (range: ChosenRange) => ({
  timeRangeKey: range.kind === 'relative' ? range.key : null,
  timeRangeStart: range.kind === 'fixed' && range.start !== undefined ? new Date(range.start).toISOString() : null,
  timeRangeEnd: range.kind === 'fixed' && range.end !== undefined ? new Date(range.end).toISOString() : null,
});

/** Adds the default range to a query without a range, so that a link shows the same to every user. */
export function completeQuery(query: string): string {
  const search = new URLSearchParams(query);
  if (!hasRange(search)) search.set('timeRangeKey', DEFAULT_RANGE.key);
  return search.toString();
}

/** Address of the current view with fixed bounds instead of a relative range. */
export function linkToView(): string {
  const now = Date.now();
  const search = new URLSearchParams(window.location.search);
  const { start, end = now } = boundsAt(readRange(search), now);
  const fixed = hasRange(search) ? toParams({ kind: 'fixed', start, end }) : {};
  return new URL(appUrl(withSearch(fixed)), window.location.origin).href;
}

/** Bounds as of a moment; the end of a relative range stays open. */
export function boundsAt(range: ChosenRange, now: number): { readonly start?: number; readonly end?: number } {
  if (range.kind === 'relative') return { start: now - range.ms };
  return {
    ...(range.start === undefined ? {} : { start: range.start }),
    ...(range.end === undefined ? {} : { end: range.end }),
  };
}

const WEEK_MS = 7 * 86_400_000;

/** Bounds of charts. Without a start they cover a week, and without an end they extend to now, inclusive. */
export function chartedBounds(
  { start, end }: ReturnType<typeof boundsAt>,
  now: number,
): { readonly start: number; readonly end: number } {
  const last = end ?? now + 1_000;
  return { start: start ?? last - WEEK_MS, end: last };
}

/** The range as an argument of the API. */
export function toApiRange(bounds: { readonly start?: number; readonly end?: number }): {
  readonly start?: string;
  readonly end?: string;
} {
  return {
    ...(bounds.start === undefined ? {} : { start: new Date(bounds.start).toISOString() }),
    ...(bounds.end === undefined ? {} : { end: new Date(bounds.end).toISOString() }),
  };
}

/** Moves the range by half its length. A range that ends now cannot move to the right. */
export function panRange(range: ChosenRange, now: number, direction: -1 | 1): ChosenRange {
  const [start, end] = closed(range, now);
  const step = ((end - start) / 2) * direction;
  const newEnd = Math.min(now, end + step);
  return { kind: 'fixed', start: newEnd - (end - start), end: newEnd };
}

/** Doubles or halves the range. A relative range still ends now, and a fixed one keeps its middle. */
export function zoomRange(range: ChosenRange, now: number, factor: 2 | 0.5): ChosenRange {
  const [start, end] = closed(range, now);
  const ms = Math.min(LENGTH_MS_MAX, Math.max(MINUTE_MS, (end - start) * factor));
  if (range.kind === 'relative') return relativeRange(Math.max(1, Math.round(ms / MINUTE_MS)) * MINUTE_MS);
  const middle = (start + end) / 2;
  const newEnd = Math.min(now, middle + ms / 2);
  return { kind: 'fixed', start: newEnd - ms, end: newEnd };
}

function closed(range: ChosenRange, now: number): readonly [number, number] {
  const { start, end } = boundsAt(range, now);
  const last = end ?? now;
  return [start ?? last - DEFAULT_RANGE.ms, last];
}
