import { isLatencyDifferent } from './pair-trees.ts';

interface ChangeProps {
  readonly label?: string;
  readonly now: number | null | undefined;
  /** Of the other side; absent on the side that is compared against. */
  readonly before?: number | null | undefined;
  readonly format: (value: number | null | undefined) => string;
  /** The change alone, and none that is chance. */
  readonly isBare?: boolean;
}

/** A figure, and how much more or less it is than on the other side. Less is better in all that is compared here. */
export function Change({ label, now, before, format, isBare = false }: ChangeProps) {
  const difference = now == null || before == null ? 0 : now - before;
  const isWorth = difference !== 0 && (!isBare || isLatencyDifferent(now!, before!));
  const sign = difference > 0 ? '+' : '−';
  const shown = isWorth && (
    <span className={difference > 0 ? 'change-more' : 'change-less'}>
      {sign}
      {format(Math.abs(difference))}
      {isBare && before! > 0 && ` ${percent(now! / before! - 1)}`}
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
