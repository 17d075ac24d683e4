import { BarList } from '../../components/chart/BarList.tsx';
import { addCondition, quote, writeCondition } from '../../components/filter/write-condition.ts';
import { formatErrors } from '../../format/errors.ts';
import { formatCost, formatCount } from '../../format/numbers.ts';
import { metricsOfModels, metricsOfTools } from './generated/metrics.ts';
import { Panels, type PanelsProps, usePanels } from './panels.tsx';
import { rowsPath } from './rows-path.ts';

const COUNT = 6;

export function ModelPanels(props: PanelsProps) {
  const query = usePanels(metricsOfModels, props);
  // An application may add a version to the model name that has the price.
  const to = (name: string) =>
    rowsPath(props.projectId, { filter: addCondition(props.filter, `${quote(name)} in llm.model_name`) });
  return (
    <Panels query={query}>
      <BarList
        title="Top models"
        about="By cost"
        color="--accent-fill"
        isLoading={query.isLoading}
        rows={(query.project?.topModelsByCost ?? []).slice(0, COUNT).map(({ id, name, costSummary: { total } }) => ({
          id,
          label: name,
          value: total.cost ?? 0,
          shown: formatCost(total.cost),
          to: to(name),
        }))}
      />
      <BarList
        title="Top models"
        about="By tokens"
        color="--kind-retriever"
        isLoading={query.isLoading}
        rows={(query.project?.topModelsByTokenCount ?? [])
          .slice(0, COUNT)
          .map(({ id, name, costSummary: { total } }) => ({
            id,
            label: name,
            value: total.tokens ?? 0,
            shown: formatCount(total.tokens),
            to: to(name),
          }))}
      />
    </Panels>
  );
}

export function ToolPanel(props: PanelsProps) {
  const toolFilter = addCondition(props.filter, "span_kind == 'TOOL'");
  const query = usePanels(metricsOfTools, props, {
    toolFilter,
    failedToolFilter: addCondition(toolFilter, "status_code == 'ERROR'"),
  });
  const { all, failed } = query.project ?? {};
  const namesOf = (facets: typeof all | typeof failed) =>
    facets?.facets.find(({ field }) => field === 'name')?.values ?? [];
  const failures = new Map(namesOf(failed).map(({ value, count }) => [value, count]));
  const about = all?.isNewestOnly ? 'By calls in the newest spans' : 'By calls';
  return (
    <Panels query={query}>
      <BarList
        title="Top tools"
        about={about}
        color="--kind-tool"
        isLoading={query.isLoading}
        rows={namesOf(all).map(({ value, count }) => ({
          id: value,
          label: value,
          value: count,
          shown: formatCount(count),
          more: failures.has(value) ? formatErrors(failures.get(value)!) : undefined,
          to: rowsPath(props.projectId, {
            filter: addCondition(toolFilter, writeCondition({ field: 'name', value }, false)),
          }),
        }))}
      />
    </Panels>
  );
}
