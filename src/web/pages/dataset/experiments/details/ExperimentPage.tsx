import { formatScore } from '../../../../components/annotations/format-score.ts';
import { Failure } from '../../../../components/Failure.tsx';
import { Icon } from '../../../../components/Icon.tsx';
import { JsonView } from '../../../../components/values/JsonView.tsx';
import { RequestFailure } from '../../../../data/request.ts';
import { usePoll } from '../../../../data/use-poll.ts';
import { useQuery } from '../../../../data/use-query.ts';
import { shownName } from '../../../../format/names.ts';
import { formatCount, formatLatency, formatSmallCost } from '../../../../format/numbers.ts';
import { useTimeFormat } from '../../../../format/times.ts';
import { Link } from '../../../../router/Link.tsx';
import { navigate } from '../../../../router/location.ts';
import { experimentsPath } from '../../../playground/state/address.ts';
import { tabPath } from '../../dataset-tabs.ts';
import { ExperimentMenu } from '../ExperimentMenu.tsx';
import { comparePath, datasetOf, type ExperimentDetails, formatShare, isRunning } from '../experiment-row.ts';
import { experimentDetails, experimentNames } from '../generated/experiments.ts';
import { RunProgress } from '../RunProgress.tsx';
import { ScoreCell } from '../ScoreCell.tsx';
import { ExperimentErrors } from './ExperimentErrors.tsx';
import { ExperimentNotes } from './ExperimentNotes.tsx';
import { ExperimentTask } from './ExperimentTask.tsx';

const POLL_MS = 3_000;

interface ExperimentPageProps {
  readonly datasetId: string;
  readonly experimentId: string;
}

/** An experiment: its figures, scores, errors, task and notes. */
export function ExperimentPage({ datasetId, experimentId }: ExperimentPageProps) {
  const { data, failure, refetch } = useQuery(experimentDetails, { id: experimentId });
  const experiment = data?.node.__typename === 'Experiment' ? data.node : undefined;
  usePoll(() => void refetch(), experiment && isRunning({ ...experiment, group: null }) ? POLL_MS : undefined);
  const problem = failure ?? (data && !experiment ? NO_EXPERIMENT : undefined);
  if (problem) return <Failure failure={problem} onRetry={() => void refetch()} />;
  if (!experiment) return <div className="page-body" aria-busy="true" />;
  return (
    <div className="page-body">
      <article className="experiment-details">
        <Head datasetId={datasetId} experiment={experiment} />
        <Overview experiment={experiment} />
        <Scores experiment={experiment} />
        <ExperimentErrors groups={experiment.errorGroups} runCount={experiment.runCount} />
        <ExperimentTask experiment={experiment} />
        <ExperimentNotes experimentId={experiment.id} notes={experiment.notes} />
      </article>
    </div>
  );
}

const NO_EXPERIMENT = new RequestFailure(
  'notFound',
  'The experiment does not exist.',
  'The ID does not belong to an experiment. It may have been deleted.',
);

function Head({ datasetId, experiment }: { readonly datasetId: string; readonly experiment: ExperimentDetails }) {
  const { id, name, description, sequenceNumber, isBaseline, tags } = experiment;
  const { data } = useQuery(experimentNames, { id: datasetId });
  const baselineId = datasetOf(data)?.baselineExperiment?.id;
  return (
    <header className="experiment-head">
      <div className="row">
        <Link to={tabPath(datasetId, 'experiments')} className="button bare small">
          <Icon name="left" size={12} /> Experiments
        </Link>
        <span className="grow" />
        {baselineId !== undefined && baselineId !== id && (
          <Link to={comparePath(datasetId, [baselineId, id], baselineId)} className="button">
            <Icon name="compare" size={14} /> Compare with the baseline
          </Link>
        )}
        {experiment.job?.isEvaluationOnly === false && (
          <Link to={experimentsPath([id])} className="button">
            <Icon name="playground" size={14} /> Open in the playground
          </Link>
        )}
        <ExperimentMenu
          datasetId={datasetId}
          experiment={experiment}
          onDeleted={() => navigate(tabPath(datasetId, 'experiments'))}
        />
      </div>
      <h2 className="row" dir="auto">
        <span className="muted">#{sequenceNumber}</span> {shownName(name)}
        {isBaseline && (
          <span className="experiment-tag is-baseline">
            <Icon name="flag" size={11} /> baseline
          </span>
        )}
        {tags
          .filter((tag) => tag.name !== 'baseline')
          .map((tag) => (
            <span key={tag.id} className="experiment-tag">
              {tag.name}
            </span>
          ))}
      </h2>
      {description && (
        <p className="muted" dir="auto">
          {description}
        </p>
      )}
    </header>
  );
}

function Overview({ experiment }: { readonly experiment: ExperimentDetails }) {
  const times = useTimeFormat();
  const { createdAt, user, repetitions, errorRate, averageRunLatencyMs, costSummary, datasetVersion } = experiment;
  const { datasetSplits, project, projectName } = experiment;
  const { total, prompt, completion } = costSummary;
  const splits = datasetSplits.edges.map(({ node }) => node.name).join(', ');
  return (
    <section className="card experiment-section" aria-label="Overview">
      <h3>Overview</h3>
      <dl className="experiment-facts">
        <Fact name="Runs">
          <RunProgress experiment={{ ...experiment, group: null }} />
        </Fact>
        <Fact name="Repetitions">{formatCount(repetitions)}</Fact>
        <Fact name="Error rate">{formatShare(errorRate)}</Fact>
        <Fact name="Mean latency">{formatLatency(averageRunLatencyMs)}</Fact>
        <Fact name="Cost">
          {formatSmallCost(total.cost)}
          {total.cost !== null && (
            <span className="muted">
              {' '}
              {formatSmallCost(prompt.cost)} prompt, {formatSmallCost(completion.cost)} completion
            </span>
          )}
        </Fact>
        <Fact name="Tokens">
          {formatCount(total.tokens)}
          {total.tokens !== null && (
            <span className="muted">
              {' '}
              {formatCount(prompt.tokens)} prompt, {formatCount(completion.tokens)} completion
            </span>
          )}
        </Fact>
        <Fact name="Created">
          <span title={times.full(createdAt)}>{times.short(createdAt)}</span>
          {user && <span className="muted"> by {user.username}</span>}
        </Fact>
        <Fact name="Dataset version">
          <span title={datasetVersion.description ?? undefined}>{times.short(datasetVersion.createdAt)}</span>
        </Fact>
        <Fact name="Splits">{splits === '' ? 'All examples' : splits}</Fact>
        <Fact name="Traces">
          {project ? (
            <Link to={`/projects/${encodeURIComponent(project.id)}/traces`}>Show traces of the runs</Link>
          ) : (
            <span className="muted" title={projectName ?? undefined}>
              Not stored
            </span>
          )}
        </Fact>
      </dl>
      <h4>Metadata</h4>
      {Object.keys(experiment.metadata as object).length === 0 ? (
        <p className="muted">No metadata.</p>
      ) : (
        <JsonView value={experiment.metadata} />
      )}
    </section>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Scores({ experiment: { annotationSummaries } }: { readonly experiment: ExperimentDetails }) {
  return (
    <section className="card experiment-section" aria-label="Scores">
      <h3>Scores</h3>
      {annotationSummaries.length === 0 ? (
        <p className="muted">No evaluations yet. Pass evaluators to the client, or evaluate the experiment later.</p>
      ) : (
        <table className="experiment-scores">
          <thead>
            <tr>
              <th>Annotation</th>
              <th>Mean</th>
              <th className="number">Min</th>
              <th className="number">Median</th>
              <th className="number">Max</th>
              <th className="number">n</th>
              <th className="number">Failed</th>
            </tr>
          </thead>
          <tbody>
            {annotationSummaries.map((summary) => {
              const { annotationName, minScore, maxScore, percentiles, scoreCount, labelCount, errorCount } = summary;
              const range = { low: Math.min(0, minScore ?? 0), high: Math.max(1, maxScore ?? 1) };
              const show = (score: number | null | undefined) => (score == null ? '' : formatScore(score));
              return (
                <tr key={annotationName}>
                  <th scope="row" dir="auto">
                    {annotationName}
                  </th>
                  <td>
                    <ScoreCell summary={summary} range={range} />
                  </td>
                  <td className="number">{show(minScore)}</td>
                  <td className="number">{show(percentiles[1])}</td>
                  <td className="number">{show(maxScore)}</td>
                  <td className="number">{formatCount(Math.max(scoreCount, labelCount))}</td>
                  <td className="number">{errorCount === 0 ? '' : formatCount(errorCount)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
