import { useMemo } from 'react';
import { formatScore } from '../../../components/annotations/format-score.ts';
import { CategoryChart } from '../../../components/chart/CategoryChart.tsx';
import { type ChartSeries, distinctColors } from '../../../components/chart/chart-series.ts';
import { Failure } from '../../../components/Failure.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount, formatLatency, formatSmallCost } from '../../../format/numbers.ts';
import { Link } from '../../../router/Link.tsx';
import { navigate, setSearch, useLocation } from '../../../router/location.ts';
import { type DatasetTabProps, tabPath } from '../dataset-tabs.ts';
import { datasetOf, formatShare } from '../experiments/experiment-row.ts';
import { type DatasetMetricsData, datasetMetrics, datasetMetricsCosts } from './generated/metrics.ts';
import './metrics.css';

/** Numbers of experiments to choose from. The first one is the default. */
const COUNTS = [7, 20, 50] as const;

type Experiment = Extract<
  DatasetMetricsData['node'],
  { readonly __typename: 'Dataset' }
>['experiments']['edges'][number]['node'];

/** Scores, latency, cost, tokens and errors of the newest experiments. */
export function MetricsTab({ dataset }: DatasetTabProps) {
  const { search } = useLocation();
  const count = COUNTS.find((each) => `${each}` === search.get('experiments')) ?? COUNTS[0];
  const variables = { id: dataset.id, first: count };
  const { data, failure, refetch } = useQuery(datasetMetrics, variables);
  const costs = useQuery(datasetMetricsCosts, variables);
  const nodes = datasetOf(data)?.experiments.edges;
  const experiments = useMemo(() => (nodes ?? []).map(({ node }) => node).reverse(), [nodes]);
  const costNodes = datasetOf(costs.data)?.experiments.edges;
  const costState = costNodes ? undefined : costs.failure ? costs.failure.message : 'loading';
  const costOf = useMemo(() => new Map(costNodes?.map(({ node }) => [node.id, node.costSummary])), [costNodes]);
  if (failure) return <Failure failure={failure} onRetry={() => void refetch()} />;
  if (!data) return <div className="page-body" aria-busy="true" />;
  if (experiments.length === 0) {
    return (
      <div className="empty">
        <h2>No metrics yet</h2>
        <p>Metrics compare the experiments of this dataset.</p>
        <Link to={tabPath(dataset.id)} className="button">
          Run an experiment
        </Link>
      </div>
    );
  }
  const names = [
    ...new Set(
      experiments.flatMap(({ annotationSummaries }) =>
        annotationSummaries.flatMap(({ annotationName, meanScore }) => (meanScore === null ? [] : [annotationName])),
      ),
    ),
  ].sort();
  const colors = distinctColors(names);
  const cost = (read: (cost: NonNullable<ReturnType<typeof costOf.get>>) => number | null) =>
    experiments.map(({ id }) => {
      const found = costOf.get(id);
      return found ? read(found) : null;
    });
  const scoresOf = (name: string) =>
    experiments.map(
      ({ annotationSummaries }) =>
        annotationSummaries.find(({ annotationName }) => annotationName === name)?.meanScore ?? null,
    );
  const panel = { experiments, datasetId: dataset.id };
  return (
    <div className="page-body">
      <div className="row metrics-bar">
        <span className="muted">Newest experiments</span>
        <span className="segments" role="group" aria-label="Number of experiments">
          {COUNTS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === count}
              onClick={() => setSearch({ experiments: each === COUNTS[0] ? null : `${each}` })}
            >
              {each}
            </button>
          ))}
        </span>
      </div>
      <div className="charts">
        {scorePanels(names, scoresOf).map((members) => (
          <Panel
            key={members.join()}
            {...panel}
            title={members.length === 1 ? `Mean of ${members[0]}` : 'Mean scores'}
            format={formatScore}
            series={members.map((name) => ({
              id: name,
              label: name,
              color: colors.get(name)!,
              values: scoresOf(name),
            }))}
          />
        ))}
        <Panel
          {...panel}
          title="Mean latency"
          format={formatLatency}
          series={one(
            'Latency',
            '--kind-retriever',
            experiments.map(({ averageRunLatencyMs }) => averageRunLatencyMs),
          )}
        />
        <Panel
          {...panel}
          title="Error rate"
          format={formatShare}
          series={one(
            'Error rate',
            '--error-fill',
            experiments.map(({ errorRate }) => errorRate),
          )}
        />
        <Panel
          {...panel}
          title="Cost"
          state={costState}
          isBars
          format={formatSmallCost}
          series={[
            ...one(
              'Prompt',
              '--kind-llm',
              cost(({ prompt }) => prompt.cost),
            ),
            ...one(
              'Completion',
              '--kind-tool',
              cost(({ completion }) => completion.cost),
            ),
          ]}
        />
        <Panel
          {...panel}
          title="Tokens"
          state={costState}
          isBars
          format={formatCount}
          series={[
            ...one(
              'Prompt',
              '--kind-llm',
              cost(({ prompt }) => prompt.tokens),
            ),
            ...one(
              'Completion',
              '--kind-tool',
              cost(({ completion }) => completion.tokens),
            ),
          ]}
        />
      </div>
    </div>
  );
}

/** Annotations with means up to 1 share a panel. Each other annotation has a scale of its own. */
function scorePanels(
  names: readonly string[],
  scoresOf: (name: string) => readonly (number | null)[],
): readonly (readonly string[])[] {
  const isShare = (name: string) => scoresOf(name).every((score) => score === null || score <= 1);
  const shares = names.filter(isShare);
  return [...(shares.length > 0 ? [shares] : []), ...names.filter((name) => !isShare(name)).map((name) => [name])];
}

const one = (label: string, color: `--${string}`, values: readonly (number | null)[]): readonly ChartSeries[] => [
  { id: label, label, color, values },
];

interface PanelProps {
  readonly datasetId: string;
  /** Oldest first. */
  readonly experiments: readonly Experiment[];
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  readonly isBars?: boolean;
  /** Why there are no values yet: they are loading, or an error message. */
  readonly state?: string | undefined;
}

function Panel({ datasetId, experiments, title, series, format, isBars = false, state }: PanelProps) {
  const baseline = experiments.findIndex(({ isBaseline }) => isBaseline);
  const isEmpty = series.every(({ values }) => values.every((value) => value === null || (isBars && value === 0)));
  return (
    <section className="card chart-card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {state !== undefined ? (
        <p className="chart-empty muted" role="status" aria-busy={state === 'loading'}>
          {state === 'loading' ? 'Reading the costs…' : state}
        </p>
      ) : isEmpty ? (
        <p className="chart-empty muted">No experiment has this value</p>
      ) : (
        <>
          <CategoryChart
            title={title}
            kind={isBars ? 'bars' : 'lines'}
            labels={experiments.map(({ sequenceNumber, name }) => `#${sequenceNumber} ${name}`)}
            ticks={experiments.map(({ sequenceNumber }) => `#${sequenceNumber}`)}
            series={series}
            format={format}
            marked={baseline < 0 ? undefined : { index: baseline, name: 'baseline' }}
            onOpen={(index) => navigate(tabPath(datasetId, 'experiments', experiments[index]!.id))}
            opens="the experiment"
          />
          {series.length > 1 && (
            <ul className="chart-legend metrics-legend" aria-label={`Series of ${title}`}>
              {series.map(({ id, label, color }) => (
                <li key={id} className="row">
                  <i style={{ background: `var(${color})` }} />
                  <span className="clip" title={label}>
                    {label}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}
