import { isLatencyDifferent } from './pair-trees.ts';

interface ChangeProps {
  readonly label?: string;
  readonly now: number | null | undefined;
  /** Value of the other side. Absent on the side that is the baseline. */
  readonly before?: number | null | undefined;
  readonly format: (value: number | null | undefined) => string;
  /** Shows only the change, and only a significant one. */
  readonly isBare?: boolean;
}

/** A value and its difference from the other side. For every compared value, less is better. */
export function Change({ label, now, before, format, isBare = false }: ChangeProps) {
  const [to, from] = now == null || before == null ? [0, 0] : [now, before];
  const difference = to - from;
  const isWorth = difference !== 0 && (!isBare || isLatencyDifferent(to, from));
  const sign = difference > 0 ? '+' : '−';
  const shown = isWorth && (
    <span className={difference > 0 ? 'change-more' : 'change-less'}>
      {sign}
      {format(Math.abs(difference))}
      {isBare && from > 0 && ` ${percent(to / from - 1)}`}
    </span>
  );
  if (isBare) return shown;
  return (
    <span className="fact">
      <span>{label}</span>
      <strong>{format(now)}</strong>
      {shown}
    </span>
  );
}

const percent = (share: number): string => {
  const value = Math.round(share * 100);
  return value > 999 ? `×${Math.round(share + 1)}` : `${value > 0 ? '+' : '−'}${Math.abs(value)}%`;
};
