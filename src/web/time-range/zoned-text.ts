// The date field of browsers holds local time without a zone. These functions read and write it in the chosen zone.

/** For example `2026-03-01T14:05:09`. Empty for undefined. */
export function toLocalText(time: number | undefined, timeZone: string | undefined): string {
  if (time === undefined) return '';
  return new Date(time + offsetMs(time, timeZone)).toISOString().slice(0, 19);
}

/** Undefined for an empty or incomplete text. */
export function fromLocalText(text: string, timeZone: string | undefined): number | undefined {
  const asUtc = Date.parse(`${text}Z`);
  if (text === '' || Number.isNaN(asUtc)) return undefined;
  // The offset depends on the result, so it is computed twice.
  const guess = asUtc - offsetMs(asUtc, timeZone);
  return asUtc - offsetMs(guess, timeZone);
}

/** Name of the chosen time zone, or else of the browser's, in which the server counts. */
export const zoneName = (timeZone: string | undefined): string =>
  timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';

/** Shorter than the time between two changes of a UTC offset. */
const CHANGE_MS_MIN = 14 * 86_400_000;

/** Like `offsetMs`, for the given times, which are in ascending order. */
export function offsetsOf(times: readonly number[], timeZone: string | undefined): (time: number) => number {
  const [start = 0, end = start] = [times[0], times.at(-1)];
  const first = offsetMs(start, timeZone);
  // Clocks that have changed twice have the same offset at both ends, so every time of a long range is looked up.
  if (end - start < CHANGE_MS_MIN && first === offsetMs(end, timeZone)) return () => first;
  const offsets = new Map(times.map((time) => [time, offsetMs(time, timeZone)]));
  return (time) => offsets.get(time) ?? first;
}

/** Offset of local time from UTC. */
export function offsetMs(time: number, timeZone: string | undefined): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...(timeZone === undefined ? {} : { timeZone }),
    timeZoneName: 'longOffset',
  });
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name);
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -1 : 1) * minutes * 60_000;
}
