import { formatScore } from '../../../components/annotations/format-score.ts';
import { LinkedCharts } from '../../../components/chart/chart-cursor.tsx';
import { TimeChart } from '../../../components/chart/TimeChart.tsx';
import { shownName } from '../../../format/names.ts';
import { formatCost, formatCount, formatFloat, formatLatency } from '../../../format/numbers.ts';
import { navigate } from '../../../router/location.ts';
import { chooseRange } from '../../../time-range/time-range.ts';
import { spansPath } from './spans-path.ts';
import { errorRate, scoreNames, scoreOf, tokensPerCall, toSeries, type Usage } from './usage-data.ts';

interface UsageChartsProps {
  readonly usage: Usage;
  readonly widthMs: number;
  readonly isLoading: boolean;
}

/** Annotations with a chart. The table has all of them. */
const SCORE_COUNT = 6;

/** Calls of each version over time. A click on a bin opens its spans in the project with the most calls. */
export function UsageCharts({ usage, widthMs, isLoading }: UsageChartsProps) {
  const [most] = usage.projects;
  const filter = usage.versions.map(({ filterCondition }) => filterCondition).join(' or ');
  const common = {
    bins: { starts: usage.binStarts.map((start) => Date.parse(start)), widthMs },
    isLoading,
    onBrush: (start: number, end: number) => chooseRange({ kind: 'fixed', start, end }),
    ...(most && {
      onOpen: (start: number, end: number) => navigate(spansPath(most.project.id, filter, { start, end })),
    }),
  } as const;
  return (
    <LinkedCharts isFiltered={false}>
      <div className="charts production-charts">
        <TimeChart
          {...common}
          kind="bars"
          isWhole
          title="Calls"
          about="By version"
          series={toSeries(usage, ({ callCount }) => callCount, 0)}
          format={formatCount}
        />
        <TimeChart
          {...common}
          kind="lines"
          title="Latency, median"
          about="P50 by version"
          series={toSeries(usage, ({ latencyMsP50 }) => latencyMsP50, null)}
          format={formatLatency}
        />
        <TimeChart
          {...common}
          kind="lines"
          title="Latency, slowest"
          about="P95 by version"
          series={toSeries(usage, ({ latencyMsP95 }) => latencyMsP95, null)}
          format={formatLatency}
        />
        <TimeChart
          {...common}
          kind="lines"
          title="Tokens"
          about="Per call, by version"
          series={toSeries(usage, tokensPerCall, null)}
          format={formatCount}
        />
        <TimeChart
          {...common}
          kind="bars"
          title="Cost"
          about="By version"
          series={toSeries(usage, ({ cost }) => cost, 0)}
          format={formatCost}
        />
        <TimeChart
          {...common}
          kind="lines"
          title="Errors"
          about="Percent of calls, by version"
          series={toSeries(usage, errorRate, null)}
          format={(value) => `${formatFloat(value)} %`}
        />
        {scoreNames(usage)
          .slice(0, SCORE_COUNT)
          .map((name) => (
            <TimeChart
              key={name}
              {...common}
              kind="lines"
              title={shownName(name)}
              about="Mean score by version"
              series={toSeries(usage, scoreOf(name), null)}
              format={formatScore}
            />
          ))}
      </div>
    </LinkedCharts>
  );
}
