import { planBins } from '../../../components/chart/bins.ts';
import { CodeSamples } from '../../../components/code/CodeSamples.tsx';
import { Failure } from '../../../components/Failure.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { shownName } from '../../../format/names.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { setSearch, useLocation } from '../../../router/location.ts';
import { boundsAt, chartedBounds, useChosenRange, useRangeInAddress } from '../../../time-range/time-range.ts';
import { zoneName } from '../../../time-range/zoned-text.ts';
import { useNow } from '../../project/statistics/use-now.ts';
import { serverUrl } from '../code/server-url.ts';
import { spanSnippets } from '../code/span-snippets.ts';
import { promptUsage } from '../generated/prompt.ts';
import type { PromptTabProps } from '../prompt-head.ts';
import { UsageCharts } from './UsageCharts.tsx';
import { UsageTable } from './UsageTable.tsx';

/** Maximum number of bins that a reader can tell apart in a panel. */
const BIN_COUNT_MAX = 48;

/** Calls of the versions over time, from the spans that name a version. */
export function ProductionTab({ prompt }: PromptTabProps) {
  useRangeInAddress();
  const { search } = useLocation();
  const range = useChosenRange();
  const now = useNow(range, undefined);
  const { timeZone } = useTimeFormat();
  const { start, end } = chartedBounds(boundsAt(range, now), now);
  const plan = planBins(end - start, BIN_COUNT_MAX);
  const projectId = search.get('projectId');
  const { data, failure, isLoading, refetch } = useQuery(promptUsage, {
    id: prompt.id,
    timeRange: { start: new Date(start).toISOString(), end: new Date(end).toISOString() },
    timeBinConfig: { scale: plan.scale, scaleCount: plan.scaleCount, timeZone: zoneName(timeZone) },
    projectId,
  });
  const usage = data?.node.__typename === 'Prompt' ? data.node.usage : undefined;
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  if (!usage) return <div className="skeleton prompt-skeleton" />;
  const latest = prompt.promptVersions.edges[0]?.node;
  if (usage.versions.length === 0 && projectId === null && !isLoading) {
    return (
      <div className="page-body prompt-main">
        <div>
          <h2>No calls in this range</h2>
          <p className="muted">
            A call is a span that names a version of this prompt by its ID in the attribute{' '}
            <code>llm.prompt_template.version</code>, outside of experiments and the playground. Choose a longer range,
            or name the version in your spans:
          </p>
        </div>
        {latest && <CodeSamples samples={spanSnippets(latest.id, serverUrl())} />}
      </div>
    );
  }
  return (
    <div className="page-body production">
      <div className="row production-bar">
        <label className="row">
          <span className="muted">Project</span>
          <select
            className="input"
            value={projectId ?? ''}
            onChange={(event) => setSearch({ projectId: event.target.value || null })}
          >
            <option value="">All projects</option>
            {usage.projects.map(({ project, callCount }) => (
              <option key={project.id} value={project.id}>
                {shownName(project.name)} ({formatCount(callCount)})
              </option>
            ))}
            {projectId !== null && !usage.projects.some(({ project }) => project.id === projectId) && (
              <option value={projectId}>No calls in this project</option>
            )}
          </select>
        </label>
        {projectId === null && <span className="muted">Without experiments and the playground</span>}
      </div>
      <UsageTable usage={usage} promptId={prompt.id} bounds={{ start, end }} />
      <UsageCharts usage={usage} widthMs={plan.widthMs} isLoading={isLoading} />
    </div>
  );
}
