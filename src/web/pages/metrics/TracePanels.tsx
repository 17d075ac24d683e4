import type { ChartSeries } from '../../components/chart/chart-series.ts';
import { TimeChart } from '../../components/chart/TimeChart.tsx';
import { formatCount, formatLatency } from '../../format/numbers.ts';
import { metricsOfTraces } from './generated/metrics.ts';
import { chartActions, Panels, type PanelsProps, toBins, usePanels } from './panels.tsx';

const QUANTILES = [
  { id: 'p50', label: 'P50', color: '--kind-tool' },
  { id: 'p75', label: 'P75', color: '--kind-retriever', isOffAtFirst: true },
  { id: 'p90', label: 'P90', color: '--kind-llm' },
  { id: 'p95', label: 'P95', color: '--kind-embedding', isOffAtFirst: true },
  { id: 'p99', label: 'P99', color: '--accent-fill' },
  { id: 'p999', label: 'P99.9', color: '--kind-guardrail', isOffAtFirst: true },
  { id: 'max', label: 'Max', color: '--kind-unknown', isOffAtFirst: true },
] as const satisfies readonly Omit<ChartSeries, 'values'>[];

export function TracePanels(props: PanelsProps) {
  const query = usePanels(metricsOfTraces, props);
  const counts = query.project?.traceCountByStatusTimeSeries.data ?? [];
  const latencies = query.project?.traceLatencyMsPercentileTimeSeries.data ?? [];
  const bins = toBins(counts, props.plan);
  const common = { bins, isLoading: query.isLoading };
  return (
    <Panels query={query}>
      <TimeChart
        {...common}
        title="Traces"
        about="With and without an error in any span"
        kind="bars"
        isWhole
        format={formatCount}
        series={[
          {
            id: 'error',
            label: 'Error in trace',
            color: '--error-fill',
            values: counts.map(({ errorCount }) => errorCount),
          },
          { id: 'ok', label: 'No error', color: '--bar', values: counts.map(({ okCount }) => okCount) },
        ]}
        {...chartActions(props, { tab: 'traces' })}
      />
      <TimeChart
        {...common}
        title="Latency"
        about="Whole traces"
        kind="lines"
        format={formatLatency}
        series={QUANTILES.map((quantile) => ({ ...quantile, values: latencies.map((each) => each[quantile.id]) }))}
        {...chartActions(props, { tab: 'traces', sort: 'traceLatencyMs:desc' })}
      />
      <TimeChart
        {...common}
        title="Traces with errors"
        about="Share with an error in any span"
        kind="lines"
        format={(share) => `${share < 10 && share % 1 !== 0 ? share.toFixed(1) : Math.round(share)} %`}
        series={[
          {
            id: 'share',
            label: 'Error in trace',
            color: '--error-fill',
            values: counts.map(({ errorCount, okCount }) =>
              errorCount + okCount === 0 ? null : (100 * errorCount) / (errorCount + okCount),
            ),
          },
        ]}
        {...chartActions(props, { tab: 'traces', filter: 'error_in_trace' })}
      />
    </Panels>
  );
}
