import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { topOf } from './axis.ts';
import { ChartMarks } from './ChartMarks.tsx';
import { ChartTooltip } from './ChartTooltip.tsx';
import type { ChartSeries } from './chart-series.ts';
import { useSize } from './use-size.ts';
import './chart.css';

interface CategoryChartProps {
  readonly title: string;
  /** Names of the categories. Each series has one value per category. */
  readonly labels: readonly string[];
  /** Short names below the axis. */
  readonly ticks: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly kind: 'bars' | 'lines';
  readonly format: (value: number) => string;
  readonly isWhole?: boolean;
  /** Category that the others are compared with, and its name. */
  readonly marked?: { readonly index: number; readonly name: string } | undefined;
  readonly onOpen?: (index: number) => void;
  /** Description of what `onOpen` opens. */
  readonly opens?: string;
}

const AXIS_PX = 18;
const GUTTER_PX = 54;
const TOP_PX = 8;
const TICK_PX = 34;

/** Chart of values by category, such as experiments. Arrow keys move the cursor, Enter opens the category. */
export function CategoryChart(props: CategoryChartProps) {
  const { title, labels, ticks, series, kind, format, isWhole = false, marked, onOpen, opens } = props;
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const [at, setAt] = useState<number>();
  const width = Math.max(0, size.width - GUTTER_PX);
  const height = Math.max(0, size.height - AXIS_PX - TOP_PX);
  const step = width / Math.max(1, labels.length);
  const top = useMemo(
    () => topOf(Math.max(0, ...labels.map((_, index) => heightOf(series, kind, index))), isWhole),
    [series, kind, labels, isWhole],
  );
  const tickEvery = Math.max(1, Math.ceil(TICK_PX / Math.max(1, step)));
  const toIndex = (event: PointerEvent) => {
    const { left } = frame.current!.getBoundingClientRect();
    const index = Math.floor((event.clientX - left - GUTTER_PX) / step);
    return index >= 0 && index < labels.length ? index : undefined;
  };
  const press = (event: KeyboardEvent) => {
    const move = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : undefined;
    if (move !== undefined)
      setAt(Math.max(0, Math.min(labels.length - 1, (at ?? (move > 0 ? -1 : labels.length)) + move)));
    else if (event.key === 'Enter' && at !== undefined) onOpen?.(at);
    else return;
    event.preventDefault();
  };
  const x = (index: number) => GUTTER_PX + index * step;
  return (
    <div
      ref={frame}
      className="chart-plot"
      role="group"
      aria-label={`${title}: arrow keys move the cursor${opens === undefined ? '' : `, Enter opens ${opens}`}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move in it
      tabIndex={0}
      onKeyDown={press}
      onBlur={() => setAt(undefined)}
      onPointerMove={(event) => setAt(toIndex(event))}
      onPointerLeave={() => setAt(undefined)}
      onPointerUp={(event) => {
        const index = toIndex(event);
        if (index !== undefined) onOpen?.(index);
      }}
    >
      <svg width={size.width} height={size.height} aria-hidden="true">
        {[0, 0.5, 1].map((share) => {
          const y = TOP_PX + Math.round(height * (1 - share));
          return (
            <g key={share}>
              <line
                className={share === 0 ? 'axis' : 'grid'}
                x1={GUTTER_PX}
                x2={size.width}
                y1={y + 0.5}
                y2={y + 0.5}
              />
              <text x={GUTTER_PX - 6} y={y + 3.5} textAnchor="end">
                {format(top * share)}
              </text>
            </g>
          );
        })}
        {ticks.map((tick, index) =>
          index % tickEvery === 0 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a category is identified by its position
            <text key={index} x={x(index) + step / 2} y={size.height - 4} textAnchor="middle">
              {tick}
            </text>
          ) : null,
        )}
        {marked && (
          <>
            <rect className="chart-marked" x={x(marked.index)} width={step} y={TOP_PX} height={height} />
            <text
              className="chart-marked-name"
              x={x(marked.index) + step / 2}
              y={TOP_PX + height - 5}
              textAnchor="middle"
            >
              {step > 50 ? marked.name : '★'}
            </text>
          </>
        )}
        <g transform={`translate(${GUTTER_PX} ${TOP_PX})`}>
          {at !== undefined && <rect className="cursor" x={at * step} width={step} y={0} height={height} />}
          <ChartMarks kind={kind} series={series} binCount={labels.length} step={step} height={height} top={top} />
          {kind === 'lines' &&
            series.map(({ id, color, values }) =>
              values.map((value, index) =>
                value === null ? null : (
                  <circle
                    // biome-ignore lint/suspicious/noArrayIndexKey: a category is identified by its position
                    key={`${id} ${index}`}
                    cx={(index + 0.5) * step}
                    cy={height - (value / top) * height}
                    r={2.5}
                    style={{ fill: `var(${color})` }}
                  />
                ),
              ),
            )}
        </g>
      </svg>
      {at !== undefined && (
        <ChartTooltip
          heading={labels[at] ?? ''}
          series={series}
          index={at}
          hint={opens && `Click to open ${opens}`}
          format={format}
          isSummed={false}
          left={x(at)}
          step={step}
          width={size.width}
        />
      )}
    </div>
  );
}

/** Height of a category: bars stand on each other. */
function heightOf(series: readonly ChartSeries[], kind: 'bars' | 'lines', index: number): number {
  const values = series.map(({ values: all }) => all[index] ?? 0);
  return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
}
