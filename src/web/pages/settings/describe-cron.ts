const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];
const NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** For example `Sundays at 00:00 UTC`. Undefined for a schedule that words cannot describe briefly. */
export function describeCron(expression: string): string | undefined {
  const [, hoursText, daysText] = /^0 ([\d,]+|\*) \* \* (\S+)$/.exec(expression.trim()) ?? [];
  if (hoursText === undefined || daysText === undefined) return undefined;
  const days = describeDays(daysText.toUpperCase());
  if (days === undefined) return undefined;
  if (hoursText === '*') return `Every hour${days === 'Every day' ? '' : ` on ${days.toLowerCase()}`}`;
  const hours = hoursText.split(',').map((hour) => `${hour.padStart(2, '0')}:00`);
  return `${days} at ${hours.join(', ')} UTC`;
}

function describeDays(text: string): string | undefined {
  if (text === '*') return 'Every day';
  const [from, to, ...more] = text.split('-').map(toName);
  if (text.includes('-')) return more.length === 0 && from && to ? `${from} to ${to}` : undefined;
  const names = text.split(',').map(toName);
  return names.every((name) => name !== undefined) ? names.join(', ') : undefined;
}

const toName = (day: string): string | undefined =>
  WEEKDAYS[NAMES.includes(day) ? NAMES.indexOf(day) : /^[0-7]$/.test(day) ? Number(day) : -1];
