import { usePreferences } from '../preferences/preferences.ts';
import { type Time, toDate } from './ages.ts';
import { MISSING } from './numbers.ts';

/** Formats times in the time zone of the user. */
export interface TimeFormat {
  /** For example `Nov 21, 14:03:21`. Another year than the current one is shown. */
  short(time: Time): string;
  /** `Nov 21, 14:03` */
  minute(time: Time): string;
  /** Includes the year and milliseconds. */
  full(time: Time): string;
  /** `14:03:21.250` */
  clock(time: Time): string;
  /** `Nov 21` */
  day(time: Time): string;
  /** `14:03` */
  clockMinute(time: Time): string;
  /** Shows the date of a range within one day once. */
  range(start: Time, end: Time): string;
  readonly timeZone: string | undefined;
}

export function useTimeFormat(): TimeFormat {
  const { timeZone } = usePreferences();
  return timeFormatOf(timeZone === 'local' ? undefined : timeZone);
}

let latest: TimeFormat | undefined;

/** One formatter for each time zone. */
function timeFormatOf(timeZone: string | undefined): TimeFormat {
  if (!latest || latest.timeZone !== timeZone) latest = createTimeFormat(timeZone);
  return latest;
}

type Write = (time: Time) => string;

function createTimeFormat(timeZone: string | undefined): TimeFormat {
  const zone = timeZone === undefined ? {} : { timeZone };
  const date = { month: 'short', day: '2-digit' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  /** A format is created at first use, because that takes longer than to format a page of times. */
  const of = (options: Intl.DateTimeFormatOptions): Write => {
    let format: Intl.DateTimeFormat | undefined;
    return (time) => {
      const given = toDate(time);
      if (!given) return MISSING;
      format ??= new Intl.DateTimeFormat('en-US', { ...zone, ...options });
      return format.format(given);
    };
  };
  const shortOfThisYear = of({ ...date, ...clock });
  const shortOfOtherYear = of({ ...date, ...clock, year: 'numeric' });
  const second = of(clock);
  const wholeDay = of({ ...date, year: 'numeric' });
  const thisYear = new Date().getFullYear();
  const short: Write = (time) => (toDate(time)?.getFullYear() === thisYear ? shortOfThisYear : shortOfOtherYear)(time);
  return {
    timeZone,
    short,
    minute: of({ ...date, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    full: of({ ...date, ...clock, year: 'numeric', fractionalSecondDigits: 3, timeZoneName: 'short' }),
    clock: of({ ...clock, fractionalSecondDigits: 3 }),
    day: of(date),
    clockMinute: of({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    range(start, end) {
      if (!toDate(start) && !toDate(end)) return 'All time';
      if (!toDate(end)) return `From ${short(start)}`;
      if (!toDate(start)) return `Until ${short(end)}`;
      const isOneDay = wholeDay(start) === wholeDay(end);
      return `${short(start)} – ${isOneDay ? second(end) : short(end)}`;
    },
  };
}
