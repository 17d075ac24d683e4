import type { ChartSeries } from './chart-series.ts';

interface ChartTooltipProps {
  readonly heading: string;
  readonly series: readonly ChartSeries[];
  readonly index: number;
  readonly hint: string | undefined;
  readonly format: (value: number) => string;
  readonly isSummed: boolean;
  /** Left edge of the bin in the chart, in pixels. */
  readonly left: number;
  readonly step: number;
  readonly width: number;
}

const TIP_PX = 224;

/** Values of the series in one bin, on the side of it that has space. */
export function ChartTooltip({ heading, series, index, hint, format, isSummed, left, step, width }: ChartTooltipProps) {
  const total = series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
  const after = left + step + 8;
  const x = after + TIP_PX <= width ? after : Math.max(0, left - 8 - TIP_PX);
  return (
    <div className="chart-tip" style={{ left: x, width: Math.min(TIP_PX, width) }} role="status">
      <strong>{heading}</strong>
      <dl>
        {series.map(({ id, label, color, values }) => (
          <div key={id}>
            <dt>
              <i style={{ background: `var(${color})` }} />
              <span>{label}</span>
            </dt>
            <dd>{values[index] == null ? '--' : format(values[index])}</dd>
          </div>
        ))}
        {isSummed && (
          <div>
            <dt>Total</dt>
            <dd>{format(total)}</dd>
          </div>
        )}
      </dl>
      {hint !== undefined && <span className="muted">{hint}</span>}
    </div>
  );
}
