import { type PointerEvent, useMemo, useRef, useState } from 'react';
import { formatErrors } from '../../format/errors.ts';
import { formatCount } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { offsetsOf } from '../../time-range/zoned-text.ts';
import { ticksOf } from './axis.ts';
import { type Bin, binEnd } from './bins.ts';
import { useSize } from './use-size.ts';
import './chart.css';

interface HistogramProps {
  readonly label: string;
  readonly bins: readonly Bin[];
  readonly widthMs: number;
  /** Whether the bins belong to a previous query. They stay visible until the current one is answered. */
  readonly isOutdated?: boolean;
  /** Called with a range that the user drew over the chart. */
  readonly onBrush: (start: number, end: number) => void;
}

const AXIS = 14;
const TOP = 3;

/** Number of rows by start time, with errors in a color of their own. A range that the user draws narrows the time range. */
export function Histogram({ label, bins, widthMs, isOutdated = false, onBrush }: HistogramProps) {
  const times = useTimeFormat();
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const [hovered, setHovered] = useState<number>();
  const [brush, setBrush] = useState<{ readonly from: number; readonly to: number }>();
  const starts = useMemo(() => bins.map(({ start }) => start), [bins]);
  const step = size.width / Math.max(1, bins.length);
  const top = Math.max(1, ...bins.map(({ okCount, errorCount }) => okCount + errorCount));
  const height = Math.max(0, size.height - AXIS - TOP);
  const indexAt = (event: PointerEvent) => {
    const { left } = frame.current!.getBoundingClientRect();
    return Math.max(0, Math.min(bins.length - 1, Math.floor((event.clientX - left) / step)));
  };
  const finish = () => {
    setBrush(undefined);
    if (!brush) return;
    const [from, to] = [Math.min(brush.from, brush.to), Math.max(brush.from, brush.to)];
    if (bins[from] && bins[to]) onBrush(bins[from].start, binEnd(starts, to, widthMs));
  };
  const bin = hovered === undefined ? undefined : bins[hovered];
  const total = bins.reduce((sum, { okCount, errorCount }) => sum + okCount + errorCount, 0);
  const offsetAt = useMemo(() => offsetsOf(starts, times.timeZone), [starts, times.timeZone]);
  const ticks = ticksOf(starts, { widthMs, binPx: step, labelPx: 76, offsetAt });
  return (
    <div
      ref={frame}
      className={isOutdated ? 'histogram is-outdated' : 'histogram'}
      aria-busy={isOutdated}
      role="img"
      aria-label={`${label}: ${formatCount(total)} in ${bins.length} bins`}
      onPointerMove={(event) => {
        const index = indexAt(event);
        setHovered(index);
        if (brush) setBrush({ ...brush, to: index });
      }}
      onPointerLeave={() => setHovered(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setBrush({ from: indexAt(event), to: indexAt(event) });
      }}
      onPointerUp={finish}
      onPointerCancel={() => setBrush(undefined)}
    >
      <svg width={size.width} height={size.height} aria-hidden="true">
        <line className="axis" x1={0} x2={size.width} y1={size.height - AXIS + 0.5} y2={size.height - AXIS + 0.5} />
        {bins.map(({ start, okCount, errorCount }, index) => {
          const x = index * step;
          const width = Math.max(1, step - (step > 4 ? 1 : 0));
          // Even the smallest value is visible.
          const errors = errorCount === 0 ? 0 : Math.max(1.5, (errorCount / top) * height);
          const fine = okCount === 0 ? 0 : Math.max(1.5, (okCount / top) * height);
          const base = TOP + height;
          return (
            <g key={start}>
              {fine > 0 && <rect className="bar" x={x} width={width} y={base - errors - fine} height={fine} />}
              {errors > 0 && <rect className="bar-error" x={x} width={width} y={base - errors} height={errors} />}
            </g>
          );
        })}
        {ticks.map(({ index, start, isDay }) =>
          index * step + 40 < size.width ? (
            <text key={start} x={index * step + 1} y={size.height - 3}>
              {isDay ? times.day(start) : times.clockMinute(start)}
            </text>
          ) : null,
        )}
        {hovered !== undefined && !brush && (
          <rect className="cursor" x={hovered * step} width={step} y={0} height={size.height - AXIS} />
        )}
        {brush && (
          <rect
            className="brush"
            x={Math.min(brush.from, brush.to) * step}
            width={(Math.abs(brush.to - brush.from) + 1) * step}
            y={0}
            height={size.height - AXIS}
          />
        )}
      </svg>
      {bin && hovered !== undefined && (
        <div
          className="chart-tip"
          style={
            hovered * step < size.width / 2
              ? { left: (hovered + 1) * step + 6 }
              : { right: size.width - hovered * step + 6 }
          }
        >
          <strong>{formatCount(bin.okCount + bin.errorCount)}</strong>
          {bin.errorCount > 0 && <span>{formatErrors(bin.errorCount)}</span>}
          <span className="muted">{times.short(bin.start)}</span>
        </div>
      )}
    </div>
  );
}
