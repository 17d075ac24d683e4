import type { ChartSeries } from '../../../components/chart/chart-series.ts';
import { distinctColors } from '../../../components/chart/chart-series.ts';
import type { PromptUsageData } from '../generated/prompt.ts';

export type Usage = Extract<PromptUsageData['node'], { readonly __typename: 'Prompt' }>['usage'];
export type VersionUsage = Usage['versions'][number];
export type Calls = VersionUsage['total'];

export const versionLabel = ({ version }: VersionUsage): string => `Version ${version.sequenceNumber}`;

/** A series per version. A bin without calls has the value for no calls. */
export function toSeries(
  { binStarts, versions }: Usage,
  toValue: (calls: Calls) => number | null,
  withoutCalls: 0 | null,
): readonly ChartSeries[] {
  const colors = distinctColors(versions.map(versionLabel));
  return versions.map((usage): ChartSeries => {
    const label = versionLabel(usage);
    const values = new Map(usage.data.map(({ timestamp, calls }) => [Date.parse(timestamp), toValue(calls)]));
    return {
      id: usage.version.id,
      label,
      color: colors.get(label)!,
      values: binStarts.map((start) => values.get(Date.parse(start)) ?? withoutCalls),
    };
  });
}

export const errorRate = ({ errorCount, callCount }: Calls): number => (100 * errorCount) / callCount;

export const tokensPerCall = ({ promptTokenCount, completionTokenCount, callCount }: Calls): number =>
  (promptTokenCount + completionTokenCount) / callCount;

export const scoreOf =
  (name: string) =>
  ({ scores }: Calls): number | null =>
    scores.find((score) => score.name === name)?.meanScore ?? null;

/** Names of annotations with scores, in order. */
export const scoreNames = ({ versions }: Usage): readonly string[] =>
  [...new Set(versions.flatMap(({ total }) => total.scores.map(({ name }) => name)))].sort();
