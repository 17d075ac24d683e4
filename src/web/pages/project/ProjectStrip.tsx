import { type ReactNode, useMemo } from 'react';
import { planBins } from '../../components/chart/bins.ts';
import { Histogram } from '../../components/chart/Histogram.tsx';
import { Problem } from '../../components/Problem.tsx';
import { Tip } from '../../components/Tip.tsx';
import { useQuery } from '../../data/use-query.ts';
import { formatCost, formatCount, formatLatency } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { boundsAt, type ChosenRange, chooseRange, toApiRange } from '../../time-range/time-range.ts';
import { zoneName } from '../../time-range/zoned-text.ts';
import { AnnotationFigures } from './AnnotationFigures.tsx';
import { projectSpanSeries, projectStatistics, projectTraceSeries } from './generated/project.ts';
import type { DataTab } from './project-tabs.ts';
import { useNow } from './use-now.ts';

interface StripProps {
  readonly projectId: string;
  readonly tab: DataTab;
  readonly range: ChosenRange;
  /** A span filter, or nothing. */
  readonly filter: string;
  /** Changes when the project does. */
  readonly change: string | undefined;
  readonly isWaiting: boolean;
}

/** What the range holds, in figures and over time. */
export function ProjectStrip({ projectId, tab, range, filter, change, isWaiting }: StripProps) {
  const now = useNow(range, change);
  const bounds = useMemo(() => boundsAt(range, now), [range, now]);
  const timeRange = toApiRange(bounds);
  const filterCondition = filter === '' ? null : filter;
  const statistics = useQuery(projectStatistics, isWaiting ? undefined : { id: projectId, timeRange, filterCondition });
  const node = statistics.data?.node;
  const figures = node?.__typename === 'Project' ? node : undefined;
  return (
    <section
      className={tab === 'metrics' ? 'strip without-chart' : 'strip'}
      aria-label="Statistics"
      aria-busy={statistics.isLoading}
    >
      <dl className="figures">
        <Figure label="Traces" value={figures && formatCount(figures.traceCount)} />
        <Figure label="Spans" value={figures && formatCount(figures.recordCount)} />
        {tab === 'sessions' && <Figure label="Sessions" value={figures && formatCount(figures.sessionCount)} />}
        <Figure label="P50" value={figures && formatLatency(figures.p50)} hint="Half of the traces took no longer" />
        <Figure label="P99" value={figures && formatLatency(figures.p99)} hint="99 of 100 traces took no longer" />
        <Figure
          label="Tokens"
          value={figures && formatCount(figures.tokenCountTotal)}
          hint={
            figures &&
            `${formatCount(figures.tokenCountPrompt)} prompt, ${formatCount(figures.tokenCountCompletion)} completion`
          }
        />
        <Figure
          label="Cost"
          value={figures && formatCost(figures.costSummary.total.cost)}
          hint={
            figures &&
            `${formatCost(figures.costSummary.prompt.cost)} prompt, ${formatCost(figures.costSummary.completion.cost)} completion; of all traces in the range`
          }
        />
        <AnnotationFigures
          projectId={projectId}
          tab={tab}
          timeRange={timeRange}
          filterCondition={filterCondition}
          isWaiting={isWaiting}
        />
      </dl>
      {(tab !== 'metrics' || statistics.failure) && (
        <div className="strip-chart">
          {statistics.failure ? (
            <Problem text={statistics.failure.message} onRetry={statistics.refetch} />
          ) : (
            !isWaiting && <Series projectId={projectId} tab={tab} filter={filter} bounds={bounds} now={now} />
          )}
        </div>
      )}
    </section>
  );
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
      <dd>{hint ? <Tip text={hint}>{<span>{shown}</span>}</Tip> : shown}</dd>
    </div>
  );
}

/** As many as can be told apart beside the figures. */
const BIN_COUNT_MAX = 120;

interface SeriesProps extends Pick<StripProps, 'projectId' | 'tab' | 'filter'> {
  readonly bounds: { readonly start?: number; readonly end?: number };
  readonly now: number;
}

function Series({ projectId, tab, filter, bounds, now }: SeriesProps) {
  const { timeZone } = useTimeFormat();
  const end = bounds.end ?? now;
  const start = bounds.start ?? end - 7 * 86_400_000;
  const { scale, scaleCount, widthMs } = planBins(end - start, BIN_COUNT_MAX);
  const variables = {
    id: projectId,
    timeRange: toApiRange({ start, end: end + 1_000 }),
    timeBinConfig: { scale, scaleCount, timeZone: zoneName(timeZone) },
  };
  const spans = useQuery(
    projectSpanSeries,
    tab === 'spans' ? { ...variables, filterCondition: filter === '' ? null : filter } : undefined,
  );
  const traces = useQuery(projectTraceSeries, tab === 'spans' ? undefined : variables);
  const spanNode = spans.data?.node;
  const traceNode = traces.data?.node;
  const isSpans = tab === 'spans';
  const data = isSpans
    ? spanNode?.__typename === 'Project' && spanNode.spanCountTimeSeries.data
    : traceNode?.__typename === 'Project' && traceNode.traceCountByStatusTimeSeries.data;
  const bins = useMemo(
    () =>
      (data || []).map(({ timestamp, errorCount, totalCount }) => ({
        start: Date.parse(timestamp),
        okCount: (totalCount ?? 0) - (errorCount ?? 0),
        errorCount: errorCount ?? 0,
      })),
    [data],
  );
  const { failure, refetch } = isSpans ? spans : traces;
  if (failure) return <Problem text={failure.message} onRetry={refetch} />;
  return (
    <Histogram
      label={isSpans ? 'Spans over time' : 'Traces over time'}
      bins={bins}
      widthMs={widthMs}
      onBrush={(from, to) => chooseRange({ kind: 'fixed', start: from, end: to })}
    />
  );
}
