// The browser's date field speaks local time without a zone; these two read and write it in the zone that was chosen.

/** `2026-03-01T14:05:09`; empty for undefined. */
export function toLocalText(time: number | undefined, timeZone: string | undefined): string {
  if (time === undefined) return '';
  return new Date(time + offsetMs(time, timeZone)).toISOString().slice(0, 19);
}

/** Undefined for an empty or unfinished text. */
export function fromLocalText(text: string, timeZone: string | undefined): number | undefined {
  const asUtc = Date.parse(`${text}Z`);
  if (text === '' || Number.isNaN(asUtc)) return undefined;
  // The offset at the time itself: taken twice, since it may change in between.
  const guess = asUtc - offsetMs(asUtc, timeZone);
  return asUtc - offsetMs(guess, timeZone);
}

/** Of local time ahead of UTC. */
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
