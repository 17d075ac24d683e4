import { useEffect, useMemo, useRef } from 'react';
import { formatScore } from '../../../components/annotations/format-score.ts';
import { CategoryChart } from '../../../components/chart/CategoryChart.tsx';
import { type ChartSeries, distinctColors } from '../../../components/chart/chart-series.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatLatency, formatSmallCost } from '../../../format/numbers.ts';
import { navigate, setSearch, useLocation } from '../../../router/location.ts';
import { tabPath } from '../dataset-tabs.ts';
import { datasetOf, type Experiment, formatShare } from './experiment-row.ts';
import { experimentChart } from './generated/experiments.ts';
import type { ExperimentCost } from './use-experiments.ts';

/** Newest experiments of the chart. */
const CHART_COUNT = 60;

interface ExperimentChartProps {
  readonly datasetId: string;
  /** Names of the annotations. */
  readonly names: readonly string[];
  /** Rows of the table. Their changes update the chart. */
  readonly rows: readonly Experiment[];
  readonly costs: ReadonlyMap<string, ExperimentCost>;
}

/** The newest experiments from left to right by a chosen measure, with the baseline marked. */
export function ExperimentChart({ datasetId, names, rows, costs }: ExperimentChartProps) {
  const { search } = useLocation();
  const { data, refetch } = useQuery(experimentChart, { id: datasetId, first: CHART_COUNT });
  useRefetch(refetch, rows);
  const nodes = datasetOf(data)?.experiments.edges;
  const experiments = useMemo(() => (nodes ?? []).map(({ node }) => node).reverse(), [nodes]);
  const first = names[0] === undefined ? 'latency' : `score.${names[0]}`;
  const wanted = search.get('measure') ?? first;
  const isKnown = MEASURES.some(([id]) => id === wanted) || names.some((name) => `score.${name}` === wanted);
  const measure = isKnown ? wanted : first;
  const { label, format, values } = useMemo(() => {
    const read = toMeasure(measure, costs);
    return { ...read, values: experiments.map((experiment) => read.value(experiment)) };
  }, [measure, experiments, costs]);
  const color = distinctColors([label]).get(label) ?? '--accent-fill';
  const series: readonly ChartSeries[] = useMemo(
    () => [{ id: measure, label, color, values }],
    [measure, label, color, values],
  );
  const baseline = experiments.findIndex(({ isBaseline }) => isBaseline);
  if (experiments.length < 2) return null;
  return (
    <section className="experiment-chart" aria-label="Chart of the experiments">
      <div className="row">
        <select
          className="input"
          aria-label="Measure of the chart"
          value={measure}
          onChange={({ target }) =>
            setSearch({ measure: target.value === first ? null : target.value }, { replaces: true })
          }
        >
          {names.length > 0 && (
            <optgroup label="Mean score">
              {names.map((name) => (
                <option key={name} value={`score.${name}`}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
          <optgroup label="Runs">
            {MEASURES.map(([id, text]) => (
              <option key={id} value={id}>
                {text}
              </option>
            ))}
          </optgroup>
        </select>
        <span className="muted clip">
          {experiments.length === CHART_COUNT ? `The newest ${CHART_COUNT} experiments` : 'All experiments'}, newest on
          the right
          {measure === 'cost' && values.includes(null) && '. Costs are known for the rows that the table has loaded.'}
        </span>
      </div>
      {values.every((value) => value === null) ? (
        <p className="chart-empty muted">No experiment has a value of {label}</p>
      ) : (
        <CategoryChart
          title={`${label} of the experiments`}
          kind="lines"
          labels={experiments.map(({ sequenceNumber, name }) => `#${sequenceNumber} ${name}`)}
          ticks={experiments.map(({ sequenceNumber }) => `#${sequenceNumber}`)}
          series={series}
          format={format}
          marked={baseline < 0 ? undefined : { index: baseline, name: 'baseline' }}
          onOpen={(index) => navigate(tabPath(datasetId, 'experiments', experiments[index]!.id))}
          opens="the experiment"
        />
      )}
    </section>
  );
}

type ChartExperiment = Pick<Experiment, 'id' | 'errorRate' | 'averageRunLatencyMs'> & {
  readonly annotationSummaries: readonly { readonly annotationName: string; readonly meanScore: number | null }[];
};

interface Measure {
  readonly label: string;
  readonly format: (value: number) => string;
  readonly value: (experiment: ChartExperiment) => number | null;
}

const MEASURES = [
  ['latency', 'Latency'],
  ['cost', 'Cost'],
  ['errorRate', 'Error rate'],
] as const;

/** @param measure `latency`, `cost`, `errorRate`, or `score.` with the name of an annotation. */
function toMeasure(measure: string, costs: ReadonlyMap<string, ExperimentCost>): Measure {
  switch (measure) {
    case 'latency':
      return { label: 'Latency', format: formatLatency, value: ({ averageRunLatencyMs }) => averageRunLatencyMs };
    case 'cost':
      return { label: 'Cost', format: formatSmallCost, value: ({ id }) => costs.get(id)?.total.cost ?? null };
    case 'errorRate':
      return { label: 'Error rate', format: formatShare, value: ({ errorRate }) => errorRate };
    default: {
      const label = measure.slice('score.'.length);
      return {
        label,
        format: formatScore,
        value: ({ annotationSummaries }) =>
          annotationSummaries.find(({ annotationName }) => annotationName === label)?.meanScore ?? null,
      };
    }
  }
}

/** Reads the chart again when the rows of the table have changed. */
function useRefetch(refetch: () => Promise<unknown>, rows: readonly Experiment[]): void {
  const version = rows.map(({ id, name, runCount, isBaseline }) => `${id}${name}${runCount}${isBaseline}`).join();
  const before = useRef(version);
  useEffect(() => {
    if (before.current === version) return;
    if (before.current !== '') void refetch();
    before.current = version;
  }, [version, refetch]);
}
