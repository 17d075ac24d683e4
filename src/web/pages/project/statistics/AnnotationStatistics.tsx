import { AnnotationFilter } from '../../../components/annotations/AnnotationFilter.tsx';
import { distinctColors } from '../../../components/chart/chart-series.ts';
import { Tooltip } from '../../../components/Tooltip.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount, formatFloat } from '../../../format/numbers.ts';
import { type ProjectAnnotationsData, projectAnnotations } from '../generated/project.ts';
import type { DataTab } from '../project-tabs.ts';
import { type RowScope, toFilters } from '../row-scope.ts';
import { mostFrequent } from '../spans/SummaryChips.tsx';

type Project = Extract<ProjectAnnotationsData['node'], { readonly __typename: 'Project' }>;
type Summary = NonNullable<Project['spans']>[number];
type Config = Project['annotationConfigs']['edges'][number]['node'];

interface AnnotationFiguresProps {
  readonly projectId: string;
  readonly tab: DataTab;
  readonly timeRange: { readonly start?: string; readonly end?: string };
  readonly scope: RowScope;
  readonly isWaiting: boolean;
}

/** Target of the annotations of a tab. Charts have none. */
const TARGETS = { spans: 'span', traces: 'trace', sessions: 'session' } as const;

/** Number of names that fit beside the other statistics. */
const COUNT_MAX = 3;

/** Mean score or most frequent label of each annotation name, with the distribution. */
export function AnnotationStatistics({ projectId, tab, timeRange, scope, isWaiting }: AnnotationFiguresProps) {
  const variables = {
    id: projectId,
    timeRange,
    ...toFilters(scope),
    rootSpansOnly: scope.grain === 'rootSpans',
    isOfSpans: tab === 'spans' || tab === 'metrics',
    isOfTraces: tab === 'traces',
    isOfSessions: tab === 'sessions',
  };
  const { data } = useQuery(projectAnnotations, isWaiting ? undefined : variables);
  const project = data?.node.__typename === 'Project' ? data.node : undefined;
  const summaries = project?.spans ?? project?.traces ?? project?.sessions ?? [];
  const configs = project?.annotationConfigs.edges.map(({ node }) => node) ?? [];
  return summaries.slice(0, COUNT_MAX).map((summary) => (
    <div key={summary.name} className="annotation-figure">
      <dt className="clip" title={summary.name}>
        {summary.name}
      </dt>
      <dd>
        <Tooltip text={<Shares summary={summary} />}>
          <span className={`row ${meanStatus(summary, configs)}`}>
            {summary.labelFractions.length > 0 && <Ring shares={summary.labelFractions} />}
            {tab === 'metrics' ? (
              sumUp(summary)
            ) : (
              <AnnotationFilter
                target={TARGETS[tab]}
                name={summary.name}
                labels={summary.labelFractions.map(({ label }) => label)}
                score={summary.meanScore}
              >
                {sumUp(summary)}
              </AnnotationFilter>
            )}
          </span>
        </Tooltip>
      </dd>
    </div>
  ));
}

const sumUp = ({ meanScore, labelFractions }: Summary): string | null =>
  meanScore === null ? mostFrequent(labelFractions) : formatFloat(meanScore);

const colorsOf = (shares: Summary['labelFractions']) => distinctColors(shares.map(({ label }) => label));

const percent = (fraction: number): string => `${Math.round(100 * fraction)} %`;

function Shares({ summary: { name, count, meanScore, labelFractions } }: { readonly summary: Summary }) {
  const colors = colorsOf(labelFractions);
  return (
    <div className="annotation-shares">
      <strong>{name}</strong>
      {labelFractions.map(({ label, fraction }) => (
        <span key={label}>
          <i style={{ background: `var(${colors.get(label)})` }} /> {label} {percent(fraction)}
        </span>
      ))}
      <span className="muted">
        {meanScore !== null && `mean ${formatFloat(meanScore)}, `}
        {formatCount(count)} annotations
      </span>
    </div>
  );
}

function Ring({ shares }: { readonly shares: Summary['labelFractions'] }) {
  const colors = colorsOf(shares);
  let before = 0;
  const parts = shares.map(({ label, fraction }) => {
    const from = before;
    before += fraction;
    return `var(${colors.get(label)}) ${percentOf(from)} ${percentOf(before)}`;
  });
  return (
    <span
      className="annotation-ring"
      role="img"
      aria-label={shares.map(({ label, fraction }) => `${label} ${percent(fraction)}`).join(', ')}
      style={{ background: `conic-gradient(${parts.join(', ')}, var(--line) 0)` }}
    />
  );
}

const percentOf = (fraction: number): string => `${(100 * fraction).toFixed(2)}%`;

/** Colour of a score, if the project's config says which scores are better. */
function meanStatus({ name, meanScore }: Summary, configs: readonly Config[]): '' | 'is-good' | 'is-bad' {
  const config = configs.find((each) => 'name' in each && each.name === name);
  if (!config || !('optimizationDirection' in config) || meanScore === null) return '';
  if (config.optimizationDirection === 'NONE') return '';
  const [worst, best] = boundsOf(config);
  if (worst === undefined || best === undefined || worst === best) return '';
  const share = (meanScore - worst) / (best - worst);
  const goodness = config.optimizationDirection === 'MAXIMIZE' ? share : 1 - share;
  return goodness >= 2 / 3 ? 'is-good' : goodness <= 1 / 3 ? 'is-bad' : '';
}

function boundsOf(config: Extract<Config, { readonly optimizationDirection: string }>): (number | undefined)[] {
  if ('values' in config) {
    const scores = config.values.flatMap(({ score }) => (score === null ? [] : [score]));
    return scores.length === 0 ? [] : [Math.min(...scores), Math.max(...scores)];
  }
  return [config.lowerBound ?? undefined, config.upperBound ?? undefined];
}
