import { type ReactNode, useRef } from 'react';
import { ChartMarks } from '../../components/chart/ChartMarks.tsx';
import { useSize } from '../../components/chart/use-size.ts';
import { Failure } from '../../components/Failure.tsx';
import { Icon } from '../../components/Icon.tsx';
import { formatCount } from '../../format/numbers.ts';
import { changeOf, formatOf, type ValueChange } from './format-metric.ts';
import { aboutOf, type Panel, titleOf } from './panel.ts';
import { type PanelScope, useFigure } from './use-panel.ts';

interface CardProps {
  readonly scope: PanelScope;
  readonly panel: Panel;
  readonly actions?: ReactNode;
}

/** One number with its change to the previous range, and its values over time. */
export function FigureCard({ scope, panel, actions }: CardProps) {
  const { current, previous, isLoading, failure, refetch } = useFigure(scope, panel);
  const format = formatOf(panel);
  const value = current?.total.values[0] ?? null;
  const change = changeOf(panel, value, previous);
  const isEmpty = current !== undefined && current.total.spanCount === 0;
  return (
    <section className="card chart-card figure-card" aria-label={titleOf(panel)} aria-busy={isLoading}>
      <header>
        <h2 className="clip">{titleOf(panel)}</h2>
        <span className="grow" />
        {actions}
      </header>
      {failure ? (
        <Failure failure={failure} onRetry={refetch} />
      ) : (
        <>
          <p className="figure-value">{current ? format(value) : ' '}</p>
          <p className="figure-note">
            {isEmpty ? (
              <span className="muted">No data in this range</span>
            ) : (
              <>
                {change && <Change change={change} />}
                <span className="muted clip" title={aboutOf(panel) || undefined}>
                  {change ? `was ${format(previous)}` : current ? spansText(current.total.spanCount) : ''}
                </span>
              </>
            )}
          </p>
          <Sparkline values={current?.total.series[0] ?? []} />
        </>
      )}
    </section>
  );
}

const spansText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'span' : 'spans'}`;

function Change({ change: { text, direction, isBad } }: { readonly change: ValueChange }) {
  if (direction === 'same') return <span className="muted">No change</span>;
  return (
    <span
      className={isBad ? 'figure-change is-bad' : 'figure-change'}
      title="Change to the previous range of this length"
    >
      <Icon name={direction} size={12} />
      {direction === 'up' ? '+' : '−'}
      {text}
    </span>
  );
}

/** Decoration. The series can be read in a chart. */
function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(frame);
  const top = Math.max(...values.map((value) => value ?? 0), 0);
  return (
    <div ref={frame} className="sparkline" aria-hidden="true">
      {values.length > 1 && top > 0 && width > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          <ChartMarks
            kind="lines"
            series={[{ id: 'value', label: '', color: '--bar', values }]}
            binCount={values.length}
            step={width / values.length}
            height={height - 3}
            top={top}
          />
        </svg>
      )}
    </div>
  );
}
