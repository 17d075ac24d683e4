/** Placeholder for a missing value. */
export const MISSING = '--';

const whole = new Intl.NumberFormat('en-US');
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** For example `12,345`, and `1.2M` from a million on. */
export function formatCount(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  return Math.abs(value) < 1e6 ? whole.format(Math.round(value)) : short.format(value);
}

/** For example `0.00`, `3.1e-3`, `0.25`, `12.50` or `1.2K`. */
export function formatFloat(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  const size = Math.abs(value);
  if (size === 0) return '0.00';
  if (size < 0.01) return value.toExponential(1);
  return size < 1000 ? value.toFixed(2) : short.format(value);
}

/** For example `4µs`, `123ms`, `1.5s`, `2m 5s` or `1h 3m`. */
export function formatLatency(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return MISSING;
  if (ms > 0 && ms < 0.1) return `${Number((ms * 1000).toPrecision(2))}µs`;
  if (ms > 0 && ms < 10) return `${trim(ms, ms < 1 ? 2 : 1)}ms`;
  if (ms < 999.5) return `${Math.round(ms)}ms`;
  if (ms < 59_950) return `${trim(ms / 1000, ms < 9_950 ? 2 : 1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return join(seconds, 60, 'm', 's');
  return join(Math.round(seconds / 60), 60, 'h', 'm');
}

const trim = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

function join(value: number, base: number, large: string, small: string): string {
  const rest = value % base;
  return `${Math.floor(value / base)}${large}${rest === 0 ? '' : ` ${rest}${small}`}`;
}

/** US dollars, for example `$0`, `<$0.01`, `$1.25`, `$1,250` or `$12.5K`. */
export function formatCost(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  if (value === 0) return '$0';
  if (value < 0.01) return '<$0.01';
  if (value < 100) return `$${value.toFixed(2)}`;
  return `$${value < 10_000 ? whole.format(Math.round(value)) : short.format(value)}`;
}

/** Dollars with two digits below ten cents, for an axis or a difference: `$0.0061`. */
export function formatSmallCost(value: number | null | undefined): string {
  if (value === null || value === undefined || value <= 0 || value >= 0.1) return formatCost(value);
  return `$${Number(value.toPrecision(2))}`;
}

/** For example `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
