import { uploadInvalid } from '../../upload-invalid.ts';
import type { TimeUnit } from './arrow-schema.ts';

/** Times as ISO 8601 in the form of pandas' `isoformat()`: fractions of a second have 6 or 9 digits, or are absent. */

const DAY_SECONDS = 86_400n;
const YEAR_1 = -62_135_596_800n;
const YEAR_10000 = 253_402_300_800n;

export function toDateText(days: bigint): string {
  return toDate(days * DAY_SECONDS)
    .toISOString()
    .slice(0, 10);
}

/** UTC if the column has a zone; a time without a zone has no offset. */
export function toTimestampText(value: bigint, unit: TimeUnit, hasZone: boolean): string {
  const { seconds, fraction } = split(value, unit);
  return `${toDate(seconds).toISOString().slice(0, 19)}${fraction}${hasZone ? '+00:00' : ''}`;
}

/** A time of day. */
export function toTimeText(value: bigint, unit: TimeUnit): string {
  const { seconds, fraction } = split(value, unit);
  if (seconds < 0n || seconds >= DAY_SECONDS) throw uploadInvalid('A time of day is outside of the day');
  return new Date(Number(seconds) * 1_000).toISOString().slice(11, 19) + fraction;
}

/** `P1DT2H3M4.5S`. A negative duration has a minus sign at its start. */
export function toDurationText(value: bigint, unit: TimeUnit): string {
  const { seconds, fraction } = split(value < 0n ? -value : value, unit);
  const [days, hours, minutes] = [seconds / DAY_SECONDS, (seconds / 3_600n) % 24n, (seconds / 60n) % 60n];
  const shortFraction = fraction.replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}P${days}DT${hours}H${minutes}M${seconds % 60n}${shortFraction}S`;
}

function toDate(seconds: bigint): Date {
  if (seconds < YEAR_1 || seconds >= YEAR_10000) throw uploadInvalid('A time is outside of the years 1 to 9999');
  return new Date(Number(seconds) * 1_000);
}

/** Whole seconds, rounded down, and the fraction as `.ffffff`, `.fffffffff` or nothing. */
function split(value: bigint, unit: TimeUnit): { seconds: bigint; fraction: string } {
  const perSecond = 10n ** BigInt(unit);
  let seconds = value / perSecond;
  if (value < seconds * perSecond) seconds--;
  const nanos = (value - seconds * perSecond) * 10n ** BigInt(9 - unit);
  if (nanos === 0n) return { seconds, fraction: '' };
  const digits = String(nanos).padStart(9, '0');
  return { seconds, fraction: `.${digits.endsWith('000') ? digits.slice(0, 6) : digits}` };
}
