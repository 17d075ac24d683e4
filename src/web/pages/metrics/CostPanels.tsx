import { type ChartSeries, distinctColors } from '../../components/chart/chart-series.ts';
import { TimeChart } from '../../components/chart/TimeChart.tsx';
import { formatCount, formatSmallCost } from '../../format/numbers.ts';
import { metricsOfCosts } from './generated/metrics.ts';
import { chartActions, Panels, type PanelsProps, toBins, usePanels } from './panels.tsx';

export function CostPanels(props: PanelsProps) {
  const query = usePanels(metricsOfCosts, props);
  const costs = query.project?.traceTokenCostTimeSeries.data ?? [];
  const tokens = query.project?.traceTokenCountTimeSeries.data ?? [];
  const common = { bins: toBins(costs, props.plan), isLoading: query.isLoading, kind: 'bars' } as const;
  const rows = { filter: "span_kind == 'LLM'" };
  const actions = chartActions(props, rows);
  return (
    <Panels query={query}>
      <TimeChart
        {...common}
        title="Cost"
        about="US dollars"
        format={formatSmallCost}
        series={[
          { ...PROMPT, values: costs.map(({ promptCost }) => promptCost) },
          { ...COMPLETION, values: costs.map(({ completionCost }) => completionCost) },
        ]}
        {...chartActions(props, { ...rows, sort: 'tokenCostTotal:desc' })}
      />
      <TimeChart
        {...common}
        title="Tokens"
        about="All models"
        isWhole
        format={formatCount}
        series={[
          { ...PROMPT, values: tokens.map(({ promptTokenCount }) => promptTokenCount) },
          { ...COMPLETION, values: tokens.map(({ completionTokenCount }) => completionTokenCount) },
        ]}
        {...actions}
      />
      <TimeChart
        {...common}
        title="Prompt tokens"
        about="By type"
        isWhole
        format={formatCount}
        series={byType(tokens.map(({ promptTokenCountDetails }) => promptTokenCountDetails))}
        {...actions}
      />
      <TimeChart
        {...common}
        title="Completion tokens"
        about="By type"
        isWhole
        format={formatCount}
        series={byType(tokens.map(({ completionTokenCountDetails }) => completionTokenCountDetails))}
        {...actions}
      />
    </Panels>
  );
}

const PROMPT = { id: 'prompt', label: 'Prompt', color: '--kind-retriever' } as const;
const COMPLETION = { id: 'completion', label: 'Completion', color: '--accent-fill' } as const;

type Details = readonly { readonly tokenType: string; readonly tokenCount: number | null }[];

/** One series for each token type that occurs. */
function byType(points: readonly Details[]): readonly ChartSeries[] {
  const types = [...new Set(points.flatMap((details) => details.map(({ tokenType }) => tokenType)))].sort();
  const colors = distinctColors(types);
  return types.map((type) => ({
    id: type,
    label: type.replaceAll('_', ' '),
    color: colors.get(type)!,
    values: points.map((details) => details.find(({ tokenType }) => tokenType === type)?.tokenCount ?? null),
  }));
}
