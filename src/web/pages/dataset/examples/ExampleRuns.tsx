import { AnnotationChip } from '../../../components/annotations/AnnotationChip.tsx';
import { formatScore } from '../../../components/annotations/format-score.ts';
import { Failure } from '../../../components/Failure.tsx';
import { Card } from '../../../components/values/Card.tsx';
import { ReusedMark } from '../../../components/values/ReusedMark.tsx';
import { send } from '../../../data/request.ts';
import { useQuery } from '../../../data/use-query.ts';
import { useRows } from '../../../data/use-rows.ts';
import { formatAge } from '../../../format/ages.ts';
import { formatCount, formatLatency } from '../../../format/numbers.ts';
import { Link } from '../../../router/Link.tsx';
import { toPlain } from '../../comparison/row/WholeValue.tsx';
import { playgroundPath } from '../../playground/state/paths.ts';
import { tabPath } from '../dataset-tabs.ts';
import { type ExampleRunsData, exampleRuns, experimentNames } from './generated/examples.ts';
import { linePoints, scoreSeries } from './score-series.ts';

type Run = Extract<
  ExampleRunsData['node'],
  { readonly __typename: 'DatasetExample' }
>['experimentRuns']['edges'][number]['node'];

interface ExampleRunsProps {
  readonly datasetId: string;
  readonly exampleId: string;
}

/** Runs of an example over all experiments, newest first, with a line of each score over time. Older ones load on demand. */
export function ExampleRuns({ datasetId, exampleId }: ExampleRunsProps) {
  const list = useRows<Run>(
    [exampleRuns.name, exampleId],
    (before, signal) => loadRuns(exampleId, before, signal),
    idOf,
  );
  const { data: names } = useQuery(experimentNames, { id: datasetId });
  const byId = new Map(
    names?.node.__typename === 'Dataset' ? names.node.experiments.edges.map(({ node }) => [node.id, node]) : [],
  );
  const runs = list.isStale ? [] : list.rows;
  const isRead = list.isComplete || runs.length > 0;
  const sorted = runs.toSorted((a, b) => b.startTime.localeCompare(a.startTime));
  const series = scoreSeries(sorted.toReversed().map(({ annotations }) => annotations.edges.map(({ node }) => node)));
  return (
    <Card title={isRead ? `Runs, ${formatCount(runs.length)}${list.isComplete ? '' : ' or more'}` : 'Runs'}>
      {list.failure && <Failure failure={list.failure} onRetry={list.retry} />}
      {list.isComplete && runs.length === 0 && (
        <p className="muted">
          No experiment has run this example yet. Run one with a client or in the{' '}
          <Link to={playgroundPath({ datasetId })}>playground</Link> to see its output and scores here.
        </p>
      )}
      {series.length > 0 && (
        <ul className="example-lines">
          {series.map(({ name, scores }) => (
            <li key={name}>
              <span className="clip">{name}</span>
              <svg viewBox="0 0 120 24" role="img" aria-label={`${name} over time`}>
                <polyline points={linePoints(scores, 120, 24)} />
              </svg>
              <strong>{formatScore(scores.at(-1)!)}</strong>
            </li>
          ))}
        </ul>
      )}
      {runs.length > 0 && (
        <table className="example-runs">
          <thead>
            <tr>
              <th>Experiment</th>
              <th>Output</th>
              <th>Scores</th>
              <th className="at-end">Latency</th>
              <th>When</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((run) => (
              <RunRow key={run.id} datasetId={datasetId} run={run} experiment={byId.get(run.experimentId)} />
            ))}
          </tbody>
        </table>
      )}
      {runs.length > 0 && !list.isComplete && (
        <button type="button" className="button small" disabled={list.isLoading} onClick={list.loadMore}>
          Load older runs
        </button>
      )}
    </Card>
  );
}

const idOf = ({ id }: Run): string => id;

/** The server lists runs by experiment, the oldest first. */
async function loadRuns(id: string, before: string | undefined, signal: AbortSignal) {
  const { node } = await send(exampleRuns, { id, before }, signal);
  if (node.__typename !== 'DatasetExample') return { rows: [], next: undefined };
  const { edges, pageInfo } = node.experimentRuns;
  return {
    rows: edges.map((edge) => edge.node).toReversed(),
    next: pageInfo.hasPreviousPage ? (pageInfo.startCursor ?? undefined) : undefined,
  };
}

interface RunRowProps {
  readonly datasetId: string;
  readonly run: Run;
  readonly experiment: { readonly name: string; readonly sequenceNumber: number } | undefined;
}

function RunRow({ datasetId, run, experiment }: RunRowProps) {
  const output = run.output === null ? '' : toPlain(run.output);
  const annotations = run.annotations.edges.map(({ node }) => node).toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <tr>
      <td>
        <Link to={tabPath(datasetId, 'experiments', run.experimentId)}>
          {experiment ? `#${experiment.sequenceNumber} ${experiment.name}` : 'Experiment'}
        </Link>
        {run.repetitionNumber > 1 && <span className="muted"> repetition {run.repetitionNumber}</span>}
      </td>
      <td className="example-output" dir="auto">
        {run.error !== null ? <span className="error-text">{run.error.slice(0, 300)}</span> : output.slice(0, 300)}
      </td>
      <td>
        <span className="row example-scores">
          {annotations.map(({ id, name, label, score }) => (
            <AnnotationChip key={id} name={name} label={label} score={score} />
          ))}
        </span>
      </td>
      <td className="at-end example-latency">
        {run.trace ? (
          <Link to={`/projects/${encodeURIComponent(run.trace.projectId)}/traces/${run.trace.traceId}`}>
            {formatLatency(run.latencyMs)}
          </Link>
        ) : (
          formatLatency(run.latencyMs)
        )}
        {run.isCached && (
          <div>
            <ReusedMark />
          </div>
        )}
      </td>
      <td className="muted">{formatAge(run.startTime)}</td>
    </tr>
  );
}
