import { type ReactNode, useMemo } from 'react';
import { planBins } from '../../../components/chart/bins.ts';
import { Histogram } from '../../../components/chart/Histogram.tsx';
import { FailureLine } from '../../../components/Failure.tsx';
import { Tooltip } from '../../../components/Tooltip.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatCost, formatCount, formatLatency, MISSING } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { boundsAt, type ChosenRange, chartedBounds, chooseRange, toApiRange } from '../../../time-range/time-range.ts';
import { zoneName } from '../../../time-range/zoned-text.ts';
import { type ProjectFiguresData, projectFigures, projectSeries } from '../generated/project.ts';
import type { DataTab } from '../project-tabs.ts';
import { type Grain, type RowScope, toFilters, useOutdated } from '../row-scope.ts';
import { AnnotationStatistics } from './AnnotationStatistics.tsx';
import { useNow } from './use-now.ts';

interface StripProps {
  readonly projectId: string;
  readonly tab: DataTab;
  readonly range: ChosenRange;
  readonly scope: RowScope;
  /** Changes whenever the project changes. */
  readonly change: string | undefined;
  readonly isWaiting: boolean;
}

type Figures = Extract<ProjectFiguresData['node'], { readonly __typename: 'Project' }>['rowFigures'];

/** Totals over the rows of the tab, and their distribution over time. */
export function ProjectStatistics({ projectId, tab, range, scope, change, isWaiting }: StripProps) {
  const now = useNow(range, change);
  const bounds = useMemo(() => boundsAt(range, now), [range, now]);
  const timeRange = toApiRange(tab === 'metrics' ? chartedBounds(bounds, now) : bounds);
  const { grain } = scope;
  const statistics = useQuery(
    projectFigures,
    isWaiting
      ? undefined
      : { id: projectId, grain, timeRange, ...toFilters(scope), ofMatchingSpans: tab === 'metrics' },
  );
  const isOutdated = useOutdated(scope, statistics.isStale);
  const node = statistics.data?.node;
  const figures = node?.__typename === 'Project' ? node.rowFigures : undefined;
  return (
    <section
      className={`strip${tab === 'metrics' ? ' without-chart' : ''}${isOutdated ? ' is-outdated' : ''}`}
      aria-label="Statistics"
      aria-busy={statistics.isLoading}
    >
      <dl className="figures">
        {toLines(scope, figures, tab === 'metrics' && scope.filter !== '').map(({ label, value, hint }) => (
          <Figure key={label} label={label} value={statistics.failure ? MISSING : value} hint={hint} />
        ))}
        <AnnotationStatistics
          projectId={projectId}
          tab={tab}
          timeRange={timeRange}
          scope={scope}
          isWaiting={isWaiting}
        />
      </dl>
      {(tab !== 'metrics' || statistics.failure) && (
        <div className="strip-chart">
          {statistics.failure ? (
            <FailureLine failure={statistics.failure} onRetry={statistics.refetch} />
          ) : (
            !isWaiting && <Series projectId={projectId} scope={scope} bounds={bounds} now={now} />
          )}
        </div>
      )}
    </section>
  );
}

/**
 * Statistics of the rows. The values are undefined while they load.
 *
 * @param isOfMatches Whether counts of spans, tokens and cost are those of the spans that the filter selects in the traces.
 */
function toLines({ grain }: RowScope, figures: Figures | undefined, isOfMatches: boolean): FigureProps[] {
  const ofTrace = isOfMatches ? 'Trace ' : '';
  const timed = grain === 'spans' ? 'spans' : grain === 'sessions' ? 'traces of these sessions' : 'traces';
  const count = (label: string, value: number | null | undefined) => ({ label, value: figures && formatCount(value) });
  return [
    ...(grain === 'sessions' ? [count('Sessions', figures?.sessionCount)] : []),
    ...(grain === 'spans' ? [] : [count('Traces', figures?.traceCount)]),
    ...(grain === 'sessions' ? [] : [count(isOfMatches ? 'Matching spans' : 'Spans', figures?.spanCount)]),
    {
      label: `${ofTrace}P50`,
      value: figures && formatLatency(figures.latencyMsP50),
      hint: `Half of the ${timed} took this long or less`,
    },
    {
      label: `${ofTrace}P99`,
      value: figures && formatLatency(figures.latencyMsP99),
      hint: `99% of the ${timed} took this long or less`,
    },
    {
      ...count(isOfMatches ? 'Span tokens' : 'Tokens', figures?.tokenCountTotal),
      hint:
        figures &&
        `${formatCount(figures.tokenCountPrompt)} prompt, ${formatCount(figures.tokenCountCompletion)} completion`,
    },
    {
      label: isOfMatches ? 'Span cost' : 'Cost',
      value: figures && formatCost(figures.costTotal),
      hint: figures && `${formatCost(figures.costPrompt)} prompt, ${formatCost(figures.costCompletion)} completion`,
    },
  ];
}

interface FigureProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly hint?: ReactNode;
}

function Figure({ label, value, hint }: FigureProps) {
  const shown = value === undefined ? <span className="skeleton figure-blank" /> : value;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{hint ? <Tooltip text={hint}>{<span>{shown}</span>}</Tooltip> : shown}</dd>
    </div>
  );
}

/** Number of bins that are distinguishable beside the statistics. */
const BIN_COUNT_MAX = 120;

const NAMES = {
  spans: 'Spans over time',
  rootSpans: 'Root spans over time',
  traces: 'Traces over time',
  sessions: 'Sessions over time',
} as const satisfies Record<Grain, string>;

interface SeriesProps extends Pick<StripProps, 'projectId' | 'scope'> {
  readonly bounds: { readonly start?: number; readonly end?: number };
  readonly now: number;
}

function Series({ projectId, scope, bounds, now }: SeriesProps) {
  const { timeZone } = useTimeFormat();
  const { start, end } = chartedBounds(bounds, now);
  const { scale, scaleCount, widthMs } = planBins(end - start, BIN_COUNT_MAX);
  const { data, failure, isStale, refetch } = useQuery(projectSeries, {
    id: projectId,
    grain: scope.grain,
    timeRange: toApiRange({ start, end }),
    rowRange: toApiRange(bounds),
    timeBinConfig: { scale, scaleCount, timeZone: zoneName(timeZone) },
    ...toFilters(scope),
  });
  const isOutdated = useOutdated(scope, isStale);
  const node = data?.node;
  const points = node?.__typename === 'Project' ? node.rowCountTimeSeries.data : undefined;
  const bins = useMemo(
    () =>
      (points ?? []).map(({ timestamp, errorCount, totalCount }) => ({
        start: Date.parse(timestamp),
        okCount: totalCount - errorCount,
        errorCount,
      })),
    [points],
  );
  if (failure) return <FailureLine failure={failure} onRetry={refetch} />;
  return (
    <Histogram
      label={NAMES[scope.grain]}
      isOutdated={isOutdated}
      bins={bins}
      widthMs={widthMs}
      onBrush={(from, to) => chooseRange({ kind: 'fixed', start: from, end: to })}
    />
  );
}
