import { TimeChart } from '../../components/chart/TimeChart.tsx';
import { addCondition } from '../../components/filter/write-condition.ts';
import { formatCount } from '../../format/numbers.ts';
import { metricsOfSpans } from './generated/metrics.ts';
import { chartActions, Panels, type PanelsProps, toBins, usePanels } from './panels.tsx';

const IS_LLM = "span_kind == 'LLM'";
const IS_TOOL = "span_kind == 'TOOL'";

export function SpanPanels(props: PanelsProps) {
  const query = usePanels(metricsOfSpans, props, {
    llmFilter: addCondition(props.filter, IS_LLM),
    toolFilter: addCondition(props.filter, IS_TOOL),
  });
  const all = query.project?.all.data ?? [];
  const llm = query.project?.llm.data ?? [];
  const tool = query.project?.tool.data ?? [];
  const common = {
    bins: toBins(all, props.plan),
    isLoading: query.isLoading,
    kind: 'bars',
    isWhole: true,
    format: formatCount,
  } as const;
  const errorsOf = (points: typeof llm) => points.map(({ errorCount }) => errorCount);
  const byOutcome = (points: typeof llm, color: `--${string}`) => [
    { id: 'error', label: 'Error', color: '--error-fill', values: errorsOf(points) } as const,
    {
      id: 'noError',
      label: 'No error',
      color,
      values: points.map(({ totalCount, errorCount }) => (totalCount ?? 0) - (errorCount ?? 0)),
    },
  ];
  return (
    <Panels query={query}>
      <TimeChart
        {...common}
        title="Spans"
        about="By status"
        series={[
          { id: 'error', label: 'Error', color: '--error-fill', values: errorsOf(all.map(withTotal)) },
          { id: 'ok', label: 'OK', color: '--ok', values: all.map(({ okCount }) => okCount) },
          { id: 'unset', label: 'Unset', color: '--bar', values: all.map(({ unsetCount }) => unsetCount) },
        ]}
        {...chartActions(props)}
      />
      <TimeChart
        {...common}
        title="Spans with errors"
        about="By kind"
        series={[
          { id: 'llm', label: 'LLM', color: '--kind-llm', values: errorsOf(llm) },
          { id: 'tool', label: 'Tool', color: '--kind-tool', values: errorsOf(tool) },
          {
            id: 'other',
            label: 'Other',
            color: '--kind-unknown',
            values: all.map(
              ({ errorCount }, index) =>
                (errorCount ?? 0) - (llm[index]?.errorCount ?? 0) - (tool[index]?.errorCount ?? 0),
            ),
          },
        ]}
        {...chartActions(props, { filter: "status_code == 'ERROR'" })}
      />
      <TimeChart
        {...common}
        title="LLM spans"
        about="Model calls"
        series={byOutcome(llm, '--kind-llm')}
        {...chartActions(props, { filter: IS_LLM })}
      />
      <TimeChart
        {...common}
        title="Tool spans"
        about="Tool calls"
        series={byOutcome(tool, '--kind-tool')}
        {...chartActions(props, { filter: IS_TOOL })}
      />
    </Panels>
  );
}

const withTotal = <Point extends { readonly errorCount: number | null }>(point: Point) => ({
  ...point,
  totalCount: null,
});
