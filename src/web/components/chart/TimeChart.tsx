import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { useTimeFormat } from '../../format/times.ts';
import { offsetsOf } from '../../time-range/zoned-text.ts';
import { ticksOf, topOf } from './axis.ts';
import { binEnd } from './bins.ts';
import { ChartMarks } from './ChartMarks.tsx';
import { ChartTooltip } from './ChartTooltip.tsx';
import { useChartCursor, useEmptyText } from './chart-cursor.tsx';
import type { ChartBins, ChartSeries } from './chart-series.ts';
import { useSize } from './use-size.ts';
import './chart.css';

interface TimeChartProps {
  readonly title: string;
  /** Short description of the values. */
  readonly about: string;
  readonly kind: 'bars' | 'lines';
  readonly bins: ChartBins;
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  readonly isWhole?: boolean;
  /** Whether values are levels. Their sum means nothing, so the legend shows the last value. */
  readonly isLevel?: boolean;
  readonly isLoading: boolean;
  /** Called with a range that the user has selected by dragging. */
  readonly onBrush?: (start: number, end: number) => void;
  /** Opens the rows of a bin. */
  readonly onOpen?: (start: number, end: number) => void;
  /** Name of the rows that `onOpen` opens. */
  readonly opens?: 'spans' | 'traces' | 'sessions';
  readonly foot?: ReactNode;
  /** Controls at the end of the head. */
  readonly actions?: ReactNode;
}

const AXIS_PX = 18;
const GUTTER_PX = 54;
const TOP_PX = 8;

/** Panel with a chart over time. All charts of the page share one cursor. */
export function TimeChart(props: TimeChartProps) {
  const { title, about, bins } = props;
  const emptyText = useEmptyText();
  const [flipped, setFlipped] = useState<ReadonlySet<string>>(new Set());
  const { time } = useChartCursor();
  const index = time === undefined ? -1 : bins.starts.indexOf(time);
  const isShown = ({ id, isOffAtFirst = false }: ChartSeries) => flipped.has(id) === isOffAtFirst;
  const shown = props.series.filter(isShown);
  // A line at zero has a meaning, such as no errors.
  const isNothing = (value: number | null) => value === null || (value === 0 && props.kind === 'bars');
  const isEmpty = props.series.every(({ values }) => values.every(isNothing));
  const flip = (id: string) => {
    const next = new Set(flipped);
    if (!next.delete(id)) next.add(id);
    setFlipped(next);
  };
  return (
    <section className="card chart-card" aria-label={title} aria-busy={props.isLoading}>
      <header>
        <h2>{title}</h2>
        <span className="muted clip">{about}</span>
        {props.actions}
      </header>
      {isEmpty ? (
        <p className="chart-empty muted">{props.isLoading ? '' : emptyText}</p>
      ) : (
        <>
          <Plot {...props} series={shown} index={index} />
          <ul className="chart-legend" data-many={props.series.length > 5} aria-label={`Series of ${title}`}>
            {props.series.map((series) => (
              <li key={series.id}>
                <button type="button" aria-pressed={isShown(series)} onClick={() => flip(series.id)}>
                  <i style={{ background: `var(${series.color})` }} />
                  <span className="clip" title={series.label}>
                    {series.label}
                  </span>
                  {isShown(series) && <b>{readout(series, index, props)}</b>}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Value at the cursor. Without a cursor, the sum of bars, and nothing for lines. */
function readout({ values }: ChartSeries, index: number, { kind, format, isLevel = false }: TimeChartProps) {
  if (index >= 0) return values[index] == null ? '' : format(values[index]);
  if (kind === 'lines') return '';
  if (isLevel) return format(values.at(-1) ?? 0);
  return format(values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
}

function Plot(props: TimeChartProps & { readonly index: number }) {
  const { title, kind, bins, series, format, isWhole = false, index, onBrush, onOpen, opens = 'spans' } = props;
  const { starts, widthMs } = bins;
  const times = useTimeFormat();
  const { point } = useChartCursor();
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const [brushFrom, setBrushFrom] = useState<number>();
  const [isHere, setHere] = useState(false);
  const width = Math.max(0, size.width - GUTTER_PX);
  const height = Math.max(0, size.height - AXIS_PX - TOP_PX);
  const step = width / Math.max(1, starts.length);
  const top = useMemo(() => topOf(greatestOf(series, kind), isWhole), [series, kind, isWhole]);
  const brush =
    brushFrom === undefined || index < 0 || brushFrom === index
      ? undefined
      : { first: Math.min(brushFrom, index), last: Math.max(brushFrom, index) };

  const goTo = (next: number) => point(starts[Math.max(0, Math.min(starts.length - 1, next))]);
  const indexAt = (event: PointerEvent) => {
    const { left } = frame.current!.getBoundingClientRect();
    return Math.floor((event.clientX - left - GUTTER_PX) / step);
  };
  const finish = () => {
    setBrushFrom(undefined);
    const here = starts[index];
    if (brush) onBrush?.(starts[brush.first]!, binEnd(starts, brush.last, widthMs));
    else if (here !== undefined) onOpen?.(here, binEnd(starts, index, widthMs));
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      if (!event.shiftKey) setBrushFrom(undefined);
      else if (brushFrom === undefined) setBrushFrom(index);
      goTo(index < 0 ? (step > 0 ? 0 : starts.length) : index + step);
    } else if (event.key === 'Enter') finish();
    else if (event.key === 'Escape' && brushFrom !== undefined) setBrushFrom(undefined);
    else return;
    event.preventDefault();
  };
  const offsetAt = useMemo(() => offsetsOf(starts, times.timeZone), [starts, times.timeZone]);
  const ticks = ticksOf(starts, { widthMs, binPx: step, labelPx: 72, offsetAt });
  return (
    <div
      ref={frame}
      className="chart-plot"
      role="group"
      aria-label={`${title} over time: arrow keys move the cursor${onBrush ? ', Shift and arrow keys select a range' : ''}${onOpen ? `, Enter opens the ${opens}` : ''}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move in it
      tabIndex={0}
      onFocus={() => setHere(true)}
      onBlur={() => {
        setHere(false);
        setBrushFrom(undefined);
        point(undefined);
      }}
      onKeyDown={press}
      onPointerMove={(event) => {
        setHere(true);
        goTo(indexAt(event));
      }}
      onPointerLeave={() => {
        setHere(false);
        point(undefined);
      }}
      onPointerDown={(event) => {
        if (event.button !== 0 || !onBrush) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        goTo(indexAt(event));
        setBrushFrom(Math.max(0, Math.min(starts.length - 1, indexAt(event))));
      }}
      onPointerUp={finish}
      onPointerCancel={() => setBrushFrom(undefined)}
    >
      <svg width={size.width} height={size.height} aria-hidden="true">
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line
              className={share === 0 ? 'axis' : 'grid'}
              x1={GUTTER_PX}
              x2={size.width}
              y1={TOP_PX + Math.round(height * (1 - share)) + 0.5}
              y2={TOP_PX + Math.round(height * (1 - share)) + 0.5}
            />
            <text x={GUTTER_PX - 6} y={TOP_PX + height * (1 - share) + 3.5} textAnchor="end">
              {format(top * share)}
            </text>
          </g>
        ))}
        {ticks.map(({ index: at, start, isDay }) =>
          at * step + 48 < width ? (
            <text key={start} x={GUTTER_PX + at * step} y={size.height - 4}>
              {isDay ? times.day(start) : times.clockMinute(start)}
            </text>
          ) : null,
        )}
        <g transform={`translate(${GUTTER_PX} ${TOP_PX})`}>
          {index >= 0 && !brush && <rect className="cursor" x={index * step} width={step} y={0} height={height} />}
          <ChartMarks kind={kind} series={series} binCount={starts.length} step={step} height={height} top={top} />
          {brush && (
            <rect
              className="brush"
              x={brush.first * step}
              width={(brush.last - brush.first + 1) * step}
              y={0}
              height={height}
            />
          )}
        </g>
      </svg>
      {isHere && index >= 0 && (
        <ChartTooltip
          heading={`${times.minute(starts[brush?.first ?? index]!)} – ${times.minute(binEnd(starts, brush?.last ?? index, widthMs))}`}
          // The values of one bin do not apply to the selected range.
          series={brush ? [] : series}
          index={index}
          hint={
            onOpen && (brush ? 'Release to select this range' : `Click to open the ${opens}, drag to select a range`)
          }
          format={format}
          isSummed={!brush && kind === 'bars' && series.length > 1}
          left={GUTTER_PX + index * step}
          step={step}
          width={size.width}
        />
      )}
    </div>
  );
}

function greatestOf(series: readonly ChartSeries[], kind: 'bars' | 'lines'): number {
  const count = series[0]?.values.length ?? 0;
  let greatest = 0;
  for (let index = 0; index < count; index++) {
    const values = series.map(({ values: all }) => all[index] ?? 0);
    const value = kind === 'bars' ? values.reduce((sum, each) => sum + each, 0) : Math.max(...values);
    greatest = Math.max(greatest, value);
  }
  return greatest;
}
