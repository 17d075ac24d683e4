import type { CSSProperties } from 'react';
import type { MeasureValue } from '../compared.ts';
import type { SharedAxis } from './shared-axis.ts';

interface IntervalPictureProps {
  readonly value: Pick<MeasureValue, 'mean' | 'low' | 'high'>;
  readonly axis: SharedAxis;
  readonly color: `--${string}`;
  /** Mean of the baseline, drawn as a line behind the dot. */
  readonly baseMean: number | null | undefined;
  /** The picture in words. */
  readonly label: string;
}

/** A mean as a dot and its interval as a line, on the axis of the measure. */
export function IntervalPicture({ value: { mean, low, high }, axis, color, baseMean, label }: IntervalPictureProps) {
  const percent = (value: number) => `${100 * axis.at(value)}%`;
  return (
    <span className="interval" role="img" aria-label={label} style={{ '--mark': `var(${color})` } as CSSProperties}>
      {baseMean != null && <i className="interval-base" style={{ left: percent(baseMean) }} />}
      {low !== null && high !== null && (
        <i className="interval-line" style={{ left: percent(low), right: `${100 - 100 * axis.at(high)}%` }} />
      )}
      {mean !== null && <i className="interval-dot" style={{ left: percent(mean) }} />}
    </span>
  );
}
