import { distinctColors } from '../../components/chart/chart-series.ts';
import { TimeChart } from '../../components/chart/TimeChart.tsx';
import { formatFloat } from '../../format/numbers.ts';
import { type MetricsOfScoresData, metricsOfScores } from './generated/metrics.ts';
import { chartActions, Panels, type PanelsProps, toBins, usePanels } from './panels.tsx';

type Scores = Extract<MetricsOfScoresData['node'], { readonly __typename: 'Project' }>['spanAnnotationScoreTimeSeries'];

/** Mean scores by annotation name. Panels of traces and sessions are hidden when they are empty. */
export function ScorePanels(props: PanelsProps) {
  const query = usePanels(metricsOfScores, props);
  const { spanAnnotationScoreTimeSeries: spans, traceAnnotationScoreTimeSeries: traces } = query.project ?? {};
  const sessions = query.project?.sessionAnnotationScoreTimeSeries;
  const common = { ...props, isLoading: query.isLoading };
  return (
    <Panels query={query}>
      <ScorePanel {...common} title="Span annotations" tab="spans" scores={spans} />
      {traces && traces.names.length > 0 && (
        <ScorePanel {...common} title="Trace annotations" tab="traces" scores={traces} />
      )}
      {sessions && sessions.names.length > 0 && (
        <ScorePanel {...common} title="Session annotations" tab="sessions" scores={sessions} />
      )}
    </Panels>
  );
}

interface ScorePanelProps extends PanelsProps {
  readonly title: string;
  readonly tab: 'spans' | 'traces' | 'sessions';
  readonly scores: Scores | undefined;
  readonly isLoading: boolean;
}

function ScorePanel({ title, tab, scores, isLoading, ...props }: ScorePanelProps) {
  const data = scores?.data ?? [];
  const colors = distinctColors(scores?.names ?? []);
  const { onBrush, onOpen } = chartActions(props, { tab });
  // A span filter does not apply to rows of sessions.
  const actions = tab === 'sessions' && props.filter !== '' ? { onBrush } : { onBrush, onOpen };
  return (
    <TimeChart
      title={title}
      about="Mean score"
      kind="lines"
      isLoading={isLoading}
      bins={toBins(data, props.plan)}
      format={formatFloat}
      series={(scores?.names ?? []).map((name) => ({
        id: name,
        label: name,
        color: colors.get(name)!,
        values: data.map(({ scoresWithLabels }) => scoresWithLabels.find(({ label }) => label === name)?.score ?? null),
      }))}
      {...actions}
    />
  );
}
