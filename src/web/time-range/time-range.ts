import { useEffect, useMemo } from 'react';
import { getPreferences, setPreference } from '../preferences/preferences.ts';
import { setSearch, useLocation } from '../router/location.ts';

export const PRESETS = [
  { key: '15m', label: 'Last 15 minutes', ms: 15 * 60_000 },
  { key: '1h', label: 'Last hour', ms: 3_600_000 },
  { key: '12h', label: 'Last 12 hours', ms: 12 * 3_600_000 },
  { key: '1d', label: 'Last day', ms: 86_400_000 },
  { key: '7d', label: 'Last 7 days', ms: 7 * 86_400_000 },
  { key: '30d', label: 'Last 30 days', ms: 30 * 86_400_000 },
] as const;

/**
 * What a page looks at. A relative range has a length and an open end, so that new data appears; a fixed one has one
 * bound or both (ms since the epoch).
 */
export type ChosenRange =
  | { readonly kind: 'relative'; readonly key: string; readonly ms: number }
  | { readonly kind: 'fixed'; readonly start: number | undefined; readonly end: number | undefined };

const MINUTE_MS = 60_000;
const DURATION = /^(\d{1,5}(?:\.\d+)?)\s*(s|sec|secs|seconds?|m|min|mins|minutes?|h|hr|hrs|hours?|d|days?|w|weeks?)$/i;
const UNIT_MS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    s: 1_000,
    m: MINUTE_MS,
    h: 3_600_000,
    d: 86_400_000,
    w: 604_800_000,
  }),
);

/** `25m`, `2 hours`, `3d` in ms; undefined when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text.trim());
  if (!match) return undefined;
  const ms = Number(match[1]) * UNIT_MS.get(match[2]![0]!.toLowerCase())!;
  return ms > 0 ? ms : undefined;
}

/** The range that the address names, else the one that was chosen last. */
export function useChosenRange(): ChosenRange {
  const { search } = useLocation();
  // One object for one range: the address says more than that.
  const text = PARAMS.map((name) => search.get(name)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for what is read
  const range = useMemo(() => readRange(search), [text]);
  useEffect(() => {
    if (range.kind === 'relative') setPreference('timeRangeKey', range.key);
  }, [range]);
  return range;
}

const PARAMS = ['timeRangeKey', 'timeRangeStart', 'timeRangeEnd'] as const;

/** As the address has it, else the one that was chosen last. */
export function readRange(search: URLSearchParams): ChosenRange {
  const [key, start, end] = PARAMS.map((name) => search.get(name)) as [string | null, string | null, string | null];
  return parseRange(key, toTime(start), toTime(end));
}

function parseRange(key: string | null, start: number | undefined, end: number | undefined): ChosenRange {
  if (start !== undefined || end !== undefined) return { kind: 'fixed', start, end };
  return relativeRange(key ?? getPreferences().timeRangeKey) ?? relativeRange('7d')!;
}

function relativeRange(key: string): ChosenRange | undefined {
  const ms = PRESETS.find((preset) => preset.key === key)?.ms ?? parseDuration(key);
  return ms === undefined ? undefined : { kind: 'relative', key, ms };
}

function toTime(text: string | null): number | undefined {
  const time = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Puts a range into the address. */
export function chooseRange(range: ChosenRange): void {
  setSearch({
    timeRangeKey: range.kind === 'relative' ? range.key : null,
    timeRangeStart: range.kind === 'fixed' && range.start !== undefined ? new Date(range.start).toISOString() : null,
    timeRangeEnd: range.kind === 'fixed' && range.end !== undefined ? new Date(range.end).toISOString() : null,
  });
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

/** What charts cover: a week where there is no start, and as far as now, which belongs to the last bin, where there is no end. */
export function chartedBounds(
  { start, end }: ReturnType<typeof boundsAt>,
  now: number,
): { readonly start: number; readonly end: number } {
  const last = end ?? now + 1_000;
  return { start: start ?? last - WEEK_MS, end: last };
}

/** As the API takes it. */
export function toApiRange(bounds: { readonly start?: number; readonly end?: number }): {
  readonly start?: string;
  readonly end?: string;
} {
  return {
    ...(bounds.start === undefined ? {} : { start: new Date(bounds.start).toISOString() }),
    ...(bounds.end === undefined ? {} : { end: new Date(bounds.end).toISOString() }),
  };
}

/** Half a window to the left or right; a range that ends now cannot go right. */
export function panRange(range: ChosenRange, now: number, direction: -1 | 1): ChosenRange {
  const [start, end] = closed(range, now);
  const step = ((end - start) / 2) * direction;
  const newEnd = Math.min(now, end + step);
  return { kind: 'fixed', start: newEnd - (end - start), end: newEnd };
}

/** Twice or half the window; a relative range stays anchored to now, a fixed one to its middle. */
export function zoomRange(range: ChosenRange, now: number, factor: 2 | 0.5): ChosenRange {
  const [start, end] = closed(range, now);
  const ms = Math.max(MINUTE_MS, (end - start) * factor);
  if (range.kind === 'relative') {
    const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
    const preset = PRESETS.find((each) => each.ms === minutes * MINUTE_MS);
    return { kind: 'relative', key: preset?.key ?? `${minutes}m`, ms: minutes * MINUTE_MS };
  }
  const middle = (start + end) / 2;
  const newEnd = Math.min(now, middle + ms / 2);
  return { kind: 'fixed', start: newEnd - ms, end: newEnd };
}

function closed(range: ChosenRange, now: number): readonly [number, number] {
  const { start, end } = boundsAt(range, now);
  const last = end ?? now;
  return [start ?? last - 7 * 86_400_000, last];
}
