/** The 168 hours of a week from Sunday 00:00 UTC on. True for the hours of a schedule. */
export type HoursOfWeek = readonly boolean[];

const HOUR_MS = 3_600_000;
const HOURS_OF_WEEK = 7 * 24;
/** 1970-01-01 was a Thursday. */
const EPOCH_HOUR_OF_WEEK = 4 * 24;

/**
 * Parses a cron expression for whole hours on days of the week in UTC: `0 <hour> * * <weekday>`. Hour and weekday may
 * be lists, ranges and steps. Weekday 0 (or 7) is Sunday; names such as `MON` are accepted.
 *
 * @returns the problem as text if the expression is invalid
 */
export function parseCronHours(expression: string): HoursOfWeek | { readonly problem: string } {
  const fields = expression.trim().split(/\s+/);
  const [minute, hour = '', day, month, weekday = ''] = fields;
  if (fields.length !== 5) return { problem: `Invalid cron expression: it has ${fields.length} fields, not 5` };
  if (minute !== '0') return { problem: 'Invalid cron expression: the minute must be 0' };
  if (day !== '*' || month !== '*') return { problem: 'Invalid cron expression: day and month must be *' };
  const hours = parseField(hour, 23);
  if (!hours) return { problem: `Invalid cron expression: expected hours of a day, received ${hour}` };
  const named = weekday.replace(/[a-z]+/gi, (name) => {
    const index = WEEKDAYS.indexOf(name.toUpperCase());
    return index < 0 ? name : String(index);
  });
  const weekdays = parseField(named, 7);
  if (!weekdays) return { problem: `Invalid cron expression: expected days of a week, received ${weekday}` };
  return Array.from({ length: HOURS_OF_WEEK }, (_, index) => {
    const dayOfWeek = Math.floor(index / 24);
    return hours.has(index % 24) && (weekdays.has(dayOfWeek) || (dayOfWeek === 0 && weekdays.has(7)));
  });
}

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** Whether an hour of the schedule is in (after, until]. */
export function fallsBetween(hours: HoursOfWeek, after: Date, until: Date): boolean {
  const first = Math.floor(after.getTime() / HOUR_MS) + 1;
  const last = Math.min(Math.floor(until.getTime() / HOUR_MS), first + HOURS_OF_WEEK - 1);
  for (let hour = first; hour <= last; hour++) if (hours[(hour + EPOCH_HOUR_OF_WEEK) % HOURS_OF_WEEK]) return true;
  return false;
}

function parseField(field: string, max: number): Set<number> | undefined {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (!match) return undefined;
    const [, from, to, every] = match;
    const start = Number(from ?? 0);
    // A number with a step continues to the maximum. 7 is Sunday again, which `*` already includes.
    const end = to !== undefined ? Number(to) : from === undefined || every !== undefined ? Math.min(max, 23) : start;
    const step = Number(every ?? 1);
    if (start > max || end > max || start > end || step === 0) return undefined;
    for (let value = start; value <= end; value += step)
      if (from !== undefined || max !== 7 || value < 7) values.add(value);
  }
  return values;
}
