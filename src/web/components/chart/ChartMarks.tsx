import { memo } from 'react';
import type { ChartSeries } from './chart-series.ts';

export interface MarksProps {
  readonly kind: 'bars' | 'lines';
  readonly series: readonly ChartSeries[];
  readonly binCount: number;
  /** Width of a bin in pixels. */
  readonly step: number;
  /** Height of the plot in pixels. */
  readonly height: number;
  /** Value at the upper edge of the plot. */
  readonly top: number;
}

/** Bars and lines of a chart. They are rendered again when these properties change, not when the cursor moves. */
export const ChartMarks = memo(function ChartMarks(props: MarksProps) {
  return props.kind === 'bars' ? <Bars {...props} /> : <Lines {...props} />;
});

function Bars({ series, binCount, step, height, top }: MarksProps) {
  const width = Math.max(1, step - (step > 4 ? Math.min(3, step * 0.15) : 0));
  const below = new Array<number>(binCount).fill(0);
  return series.map(({ id, color, values }) => (
    <path
      key={id}
      style={{ fill: `var(${color})` }}
      d={values
        .map((value, index) => {
          if (!value) return '';
          // A small value stays visible.
          const size = Math.max(1, (value / top) * height);
          const bottom = below[index] ?? 0;
          const base = height - bottom;
          below[index] = bottom + size;
          return `M${round(index * step)} ${round(base)}v${round(-size)}h${round(width)}v${round(size)}z`;
        })
        .join('')}
    />
  ));
}

function Lines({ series, step, height, top }: MarksProps) {
  const x = (index: number) => round((index + 0.5) * step);
  const y = (value: number) => round(height - (value / top) * height);
  return series.map(({ id, color, values }) => (
    <g key={id} style={{ stroke: `var(${color})`, fill: `var(${color})` }}>
      <path
        className="chart-line"
        d={values
          .map((value, index) => {
            if (value === null) return '';
            return `${values[index - 1] == null ? 'M' : 'L'}${x(index)} ${y(value)}`;
          })
          .join('')}
      />
      {values.map((value, index) =>
        // A line needs two points, so an isolated value is drawn as a dot.
        value !== null && values[index - 1] == null && values[index + 1] == null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bin is identified by its position
          <circle key={index} cx={x(index)} cy={y(value)} r={2} stroke="none" />
        ) : null,
      )}
    </g>
  ));
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10;
