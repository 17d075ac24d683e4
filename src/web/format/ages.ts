import { MISSING } from './numbers.ts';

export type Time = string | number | Date | null | undefined;

export function toDate(time: Time): Date | undefined {
  if (time === null || time === undefined) return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** For example `just now`, `5 min ago`, `3 h ago` or `2 d ago`, and `in 5 min` for a future time. */
export function formatAge(time: Time, now: number = Date.now()): string {
  const date = toDate(time);
  if (!date) return MISSING;
  const seconds = (now - date.getTime()) / 1000;
  // The clocks of two machines may differ by this much.
  if (Math.abs(seconds) < 45) return 'just now';
  return seconds > 0 ? `${toSpan(seconds)} ago` : `in ${toSpan(-seconds)}`;
}

function toSpan(seconds: number): string {
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
