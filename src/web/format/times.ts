import { useMemo } from 'react';
import { usePreferences } from '../preferences/preferences.ts';
import { MISSING } from './numbers.ts';

type Time = string | number | Date | null | undefined;

/** Times in the zone that the person has chosen. */
export interface TimeFormat {
  /** `Nov 21, 14:03:21`; the year is there when it is not this one. */
  short(time: Time): string;
  /** `Nov 21, 14:03` */
  minute(time: Time): string;
  /** With the year and milliseconds. */
  full(time: Time): string;
  /** `14:03:21.250` */
  clock(time: Time): string;
  /** `Nov 21` */
  day(time: Time): string;
  /** `14:03` */
  clockMinute(time: Time): string;
  /** Of one day, with its date once. */
  range(start: Time, end: Time): string;
  readonly timeZone: string | undefined;
}

export function useTimeFormat(): TimeFormat {
  const { timeZone } = usePreferences();
  return useMemo(() => createTimeFormat(timeZone === 'local' ? undefined : timeZone), [timeZone]);
}

function createTimeFormat(timeZone: string | undefined): TimeFormat {
  const zone = timeZone === undefined ? {} : { timeZone };
  const date = { month: 'short', day: '2-digit' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const of = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { ...zone, ...options });
  const shortFormat = of({ ...date, ...clock });
  const shortOfOtherYear = of({ ...date, ...clock, year: 'numeric' });
  const fullFormat = of({ ...date, ...clock, year: 'numeric', fractionalSecondDigits: 3, timeZoneName: 'short' });
  const clockFormat = of({ ...clock, fractionalSecondDigits: 3 });
  const secondFormat = of(clock);
  const wholeDay = of({ ...date, year: 'numeric' });
  const minuteFormat = of({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const dayFormat = of(date);
  const dayMinuteFormat = of({ ...date, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const thisYear = new Date().getFullYear();
  const using = (format: Intl.DateTimeFormat, time: Time) => (toDate(time) ? format.format(toDate(time)!) : MISSING);
  const short = (time: Time) => using(toDate(time)?.getFullYear() === thisYear ? shortFormat : shortOfOtherYear, time);
  return {
    timeZone,
    short,
    minute: (time) => using(dayMinuteFormat, time),
    full: (time) => using(fullFormat, time),
    clock: (time) => using(clockFormat, time),
    day: (time) => using(dayFormat, time),
    clockMinute: (time) => using(minuteFormat, time),
    range(start, end) {
      if (!toDate(start) && !toDate(end)) return 'All time';
      if (!toDate(end)) return `From ${short(start)}`;
      if (!toDate(start)) return `Until ${short(end)}`;
      const isOneDay = wholeDay.format(toDate(start)) === wholeDay.format(toDate(end));
      return `${short(start)} – ${isOneDay ? using(secondFormat, end) : short(end)}`;
    },
  };
}

function toDate(time: Time): Date | undefined {
  if (time === null || time === undefined) return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** `just now`, `5 min ago`, `3 h ago`, `2 d ago`. */
export function formatAge(time: Time, now: number = Date.now()): string {
  const date = toDate(time);
  if (!date) return MISSING;
  const seconds = Math.max(0, (now - date.getTime()) / 1000);
  if (seconds < 45) return 'just now';
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86_400)} d ago`;
}
