import { TIME_ZONE_CACHE_COUNT_MAX } from '../limits/reads.ts';
import type { ClockChange, Clocks } from './time-bins.ts';

const MINUTE_MS = 60_000;
/** Shorter than the time between two changes. The closest changes are a month apart, around Ramadan in Morocco. */
const SEARCH_STEP_MS = 14 * 86_400_000;

/** Cache by zone and years, least recently used first. All charts of a page need the same entry. */
const known = new Map<string, Clocks>();

/** Canonical name of a time zone. Undefined for an unknown name, and for offsets such as `+01:00`. */
export function resolveTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * UTC offsets of a zone, with the changes in all UTC years that [startMs, endMs] overlaps.
 *
 * @param zone canonical name from `resolveTimeZone`
 */
export function clocksOf(zone: string, startMs: number, endMs: number): Clocks {
  const years = [new Date(startMs).getUTCFullYear(), new Date(endMs).getUTCFullYear() + 1] as const;
  const key = `${zone} ${years.join()}`;
  const clocks = known.get(key) ?? findClocks(zone, startOfYear(years[0]), startOfYear(years[1]));
  known.delete(key);
  known.set(key, clocks);
  const [oldest] = known.keys();
  if (known.size > TIME_ZONE_CACHE_COUNT_MAX && oldest !== undefined) known.delete(oldest);
  return clocks;
}

/** `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
const startOfYear = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1);

function findClocks(zone: string, startMs: number, endMs: number): Clocks {
  const offsetAt = openOffsets(zone);
  const first = offsetAt(startMs);
  const changes: ClockChange[] = [];
  let offsetMs = first;
  for (let fromMs = startMs; fromMs < endMs; fromMs += SEARCH_STEP_MS) {
    const later = offsetAt(fromMs + SEARCH_STEP_MS);
    if (later === offsetMs) continue;
    let [beforeMs, atMs] = [fromMs, fromMs + SEARCH_STEP_MS];
    while (atMs - beforeMs > MINUTE_MS) {
      const middleMs = beforeMs + Math.floor((atMs - beforeMs) / MINUTE_MS / 2) * MINUTE_MS;
      if (offsetAt(middleMs) === offsetMs) beforeMs = middleMs;
      else atMs = middleMs;
    }
    changes.push({ atMs, offsetMs: later });
    offsetMs = later;
  }
  return { offsetMs: first, changes };
}

/** Returns a function from a Unix time in ms to the UTC offset of the zone in ms. */
function openOffsets(timeZone: string): (timeMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (timeMs) => {
    const name = format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name) ?? [];
    if (sign === undefined) return 0;
    const ms = Number(hours) * 3_600_000 + Number(minutes) * MINUTE_MS + Number(seconds) * 1_000;
    return sign === '-' ? -ms : ms;
  };
}
