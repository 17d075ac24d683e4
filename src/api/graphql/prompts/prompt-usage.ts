import { PROMPT_VERSION_ATTRIBUTES, toPromptVersionFilter } from '../../../semconv/prompt-attributes.ts';
import { GROUPED_VALUE_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { ValueAggregates } from '../../../domain/domain.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { type RangeArguments, toTimeRange } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { toDollars } from '../models/cost.ts';
import { rowIdOfNode } from '../node.ts';
import { planSeries, type TimeBinConfig, untilMs } from '../projects/time-series.ts';
import { type NodeRef, projectRef, promptVersionRef } from '../resolvers.ts';

interface UsageArguments extends RangeArguments {
  readonly timeBinConfig?: TimeBinConfig | null;
  readonly projectId?: string | null;
}

/** Calls of the newest versions of a prompt, as far as the caller may read the projects of their spans. */
export async function findUsage(
  { rowId }: NodeRef<'Prompt'>,
  args: UsageArguments,
  { domain, loaders, items, work, signal }: GraphqlContext,
): Promise<object> {
  const range = toTimeRange(args);
  const bins = planSeries(args.timeBinConfig, range);
  const projectId = typeof args.projectId === 'string' ? rowIdOfNode('Project', args.projectId) : undefined;
  const versionIds = ((await loaders.versionIdsOfPrompts.load(rowId)) ?? []).slice(0, GROUPED_VALUE_COUNT_MAX);
  if (versionIds.length === 0) return { binStarts: [], projects: [], versions: [] };
  const values = versionIds.map((versionId) => toGlobalId('PromptVersion', versionId));
  const { aggregates, projects } = await domain.prompts.aggregateCalls(
    { ...range, paths: PROMPT_VERSION_ATTRIBUTES, values, projectId, bins: bins.plan },
    { readClass: 'interface', signal },
  );
  const binsMs = aggregates.flatMap(({ startTimeUnixMicro: start }) => (start === null ? [] : [start / 1_000]));
  const starts = bins.startsUntil(untilMs(bins.endMs, [Math.max(...binsMs)]));
  items.take(projects.length + aggregates.length + starts.length);
  await work.slices.wait(signal);
  const known = await Promise.all(projects.map((one) => loaders.projects.load(one.projectId)));
  return {
    binStarts: starts.map((start) => new Date(start)),
    // A project may be deleted, or hidden, after its spans were read.
    projects: projects.flatMap(({ projectId: id, spanCount }, index) =>
      known[index] ? [{ project: projectRef(id), callCount: spanCount }] : [],
    ),
    versions: versionIds.flatMap((versionId, index) => {
      const ofVersion = aggregates.filter(({ value }) => value === values[index]);
      return ofVersion.length === 0 ? [] : [toVersionUsage(versionId, ofVersion)];
    }),
  };
}

/** @param aggregates The whole range before its bins. */
function toVersionUsage(versionId: number, aggregates: readonly ValueAggregates[]): object {
  const [total, ...ofBins] = aggregates as readonly [ValueAggregates, ...ValueAggregates[]];
  return {
    version: promptVersionRef(versionId),
    filterCondition: toPromptVersionFilter(total.value),
    total: toCalls(total),
    data: ofBins.map((bin) => ({ timestamp: new Date(Number(bin.startTimeUnixMicro) / 1_000), calls: toCalls(bin) })),
    firstCallAt: new Date(Number(total.firstStartUnixNano / 1_000_000n)),
    lastCallAt: new Date(Number(total.lastStartUnixNano / 1_000_000n)),
  };
}

const toCalls = (calls: ValueAggregates): object => ({
  callCount: calls.spanCount,
  errorCount: calls.errorCount,
  latencyMsP50: calls.latencies[0] ?? null,
  latencyMsP95: calls.latencies[1] ?? null,
  promptTokenCount: calls.tokensPrompt,
  completionTokenCount: calls.tokensCompletion,
  cost: calls.costPico === null ? null : toDollars(calls.costPico),
  scores: calls.scores.map(({ name, spanCount, meanScore }) => ({ name, callCount: spanCount, meanScore })),
});
