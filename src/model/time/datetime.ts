/** A point in time from an input. */
export interface DateTime {
  /** Nanoseconds since the Unix epoch for the years 1 to 9999, which exceeds int64. */
  readonly unixNano: bigint;
  /** True if the text had no offset; `unixNano` then assumes UTC. */
  readonly isNaive: boolean;
}

/** Earliest and latest time of a span: those of DuckDB's TIMESTAMP_NS, whose extreme int64 values mean infinity. */
export const SPAN_TIME_NANO_MIN = -9_223_286_400_000_000_000n; // 1677-09-22T00:00:00
export const SPAN_TIME_NANO_MAX = 9_223_372_036_854_775_806n; // 2262-04-11T23:47:16.854775806

/**
 * Parses ISO 8601 with an offset, `Z` or neither; a date alone (midnight); or Unix seconds, which count as milliseconds
 * beyond ±2·10^10. Digits after the ninth of a fraction are dropped. Returns the problem if the text is invalid.
 */
export function parseDateTime(text: string): DateTime | { readonly problem: string } {
  if (UNIX_TIME.test(text)) return fromUnixTime(text);
  const match = ISO_8601.exec(text);
  if (!match) return { problem: text.length < 10 ? 'input is too short' : 'input is not ISO 8601' };
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0)) as Six;
  const [fraction, zone, sign, zoneHour, zoneMinute] = match.slice(7);
  if (year === 0) return { problem: 'year 0 is out of range' };
  if (!isDate(year, month, day)) return { problem: 'month or day value is outside expected range' };
  if (hour > 23) return { problem: 'hour value is outside expected range of 0-23' };
  if (minute > 59) return { problem: 'minute value is outside expected range of 0-59' };
  if (second > 59) return { problem: 'second value is outside expected range of 0-59' };
  const offsetMinutes = Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0);
  if (offsetMinutes >= 24 * 60 || Number(zoneMinute ?? 0) > 59) {
    return { problem: 'timezone offset must be less than 24 hours' };
  }
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999. The calendar repeats every 400 years.
  const localMs = Date.UTC(year + 400, month - 1, day, hour, minute, second) - GREGORIAN_CYCLE_MS;
  const utcMs = localMs - (sign === '+' ? 1 : -1) * offsetMinutes * 60_000;
  const unixNano = BigInt(utcMs) * 1_000_000n + BigInt((fraction ?? '').slice(0, 9).padEnd(9, '0'));
  return inRange({ unixNano, isNaive: zone === undefined });
}

/**
 * `YYYY-MM-DDTHH:MM:SS[.ffffff]+00:00` with microseconds rounded down, absent if zero. Older versions of Python cannot
 * parse `Z`.
 */
export function formatUnixNano(unixNano: bigint): string {
  // A number represents milliseconds exactly, but not nanoseconds.
  let millis = Number(unixNano / 1_000_000n);
  let nanos = Number(unixNano % 1_000_000n);
  if (nanos < 0) {
    millis--;
    nanos += 1_000_000;
  }
  const day = Math.floor(millis / DAY_MS);
  const millisOfDay = millis - day * DAY_MS;
  const seconds = Math.floor(millisOfDay / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const text = `${dayText(day)}T${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes - hours * 60]}:${TWO_DIGITS[seconds - minutes * 60]}`;
  const micros = (millisOfDay - seconds * 1_000) * 1_000 + Math.floor(nanos / 1_000);
  return micros === 0 ? `${text}+00:00` : `${text}.${String(micros).padStart(6, '0')}+00:00`;
}

const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** The last requested day. A page contains hundreds of times, mostly of one day, and `Date` takes most of the work. */
const lastDay = { day: Number.NaN, text: '' };
function dayText(day: number): string {
  if (day !== lastDay.day) {
    const text = new Date(day * DAY_MS).toISOString();
    lastDay.day = day;
    lastDay.text = text.slice(0, text.indexOf('T'));
  }
  return lastDay.text;
}

/** The nearest valid time of a span, with which filters compare. */
export const clampToSpanTime = (unixNano: bigint): bigint =>
  unixNano < SPAN_TIME_NANO_MIN ? SPAN_TIME_NANO_MIN : unixNano > SPAN_TIME_NANO_MAX ? SPAN_TIME_NANO_MAX : unixNano;

export const isSpanTime = (unixNano: bigint): boolean => clampToSpanTime(unixNano) === unixNano;

const UNIX_TIME = /^[+-]?\d+(?:\.\d*)?$/;
const ISO_8601 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt_ ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,32}))?)?(Z|z|([+-])(\d\d):?(\d\d)?)?)?$/;
/** Unix times beyond this many seconds (year 2603) are milliseconds. */
const MILLISECONDS_FROM = 20_000_000_000n;
const YEAR_1_NANO = -62_135_596_800n * 1_000_000_000n;
const YEAR_10000_NANO = 253_402_300_800n * 1_000_000_000n;

function fromUnixTime(text: string): DateTime | { readonly problem: string } {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  // Longer than any accepted year. Converting a text of megabytes to BigInt would take minutes.
  if (whole.length > 32) return { problem: 'year is out of range' };
  const isMilliseconds = BigInt(whole) > MILLISECONDS_FROM;
  const digits = isMilliseconds ? 6 : 9;
  const magnitude = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return inRange({ unixNano: text.startsWith('-') ? -magnitude : magnitude, isNaive: false });
}

const inRange = (time: DateTime): DateTime | { readonly problem: string } =>
  time.unixNano >= YEAR_1_NANO && time.unixNano < YEAR_10000_NANO ? time : { problem: 'year is out of range' };

function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 && isLeapYear ? 29 : (DAYS_OF_MONTH[month - 1] ?? 0));
}

type Six = [number, number, number, number, number, number];
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const GREGORIAN_CYCLE_MS = 146_097 * 86_400_000;
