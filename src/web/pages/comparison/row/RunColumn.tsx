import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import { formatScore } from '../../../components/annotations/format-score.ts';
import { JsonDiff } from '../../../components/diff/JsonDiff.tsx';
import { TextDiff } from '../../../components/diff/TextDiff.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { Card } from '../../../components/values/Card.tsx';
import { ReusedMark } from '../../../components/values/ReusedMark.tsx';
import { formatCount, formatLatency, formatSmallCost } from '../../../format/numbers.ts';
import { Link } from '../../../router/Link.tsx';
import type { Compared } from '../compared.ts';
import { ExperimentName } from '../ExperimentMark.tsx';
import { Repetitions } from '../grid/RunCell.tsx';
import { tracePath } from './trace-path.ts';
import { toPlain, WholeValue } from './WholeValue.tsx';
import type { RunAnnotation, WholeRun } from './whole-run.ts';

interface RunColumnProps {
  readonly of: Compared;
  readonly runs: readonly WholeRun[];
  readonly index: number;
  readonly onIndex: (index: number) => void;
  /** Output of the baseline, to which the output is compared. Absent for the baseline, and without a comparison. */
  readonly base: WholeRun | undefined;
  readonly baseLetter: string;
  /** Whether names, figures and scores are hidden. */
  readonly isBlind: boolean;
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
}

/** A run of one experiment with its whole output, its scores and links to its traces. */
export function RunColumn(props: RunColumnProps) {
  const { of, runs, index, onIndex, base, baseLetter, isBlind, isCurrent, onFocus } = props;
  const run = runs[Math.min(index, runs.length - 1)];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys H and L choose the column
    <section className="run-column" aria-label={of.name} aria-current={isCurrent} onClick={onFocus}>
      <header>
        <ExperimentName of={of} />
        <span className="grow" />
        {runs.length > 1 && (
          <Repetitions index={Math.min(index, runs.length - 1)} count={runs.length} onIndex={onIndex} />
        )}
      </header>
      {!run ? (
        <p className="run-missing muted">The experiment has no run of this example.</p>
      ) : (
        <>
          {!isBlind && <Figures run={run} />}
          {run.error !== null && (
            <Card title="Error" copies={run.error}>
              <pre className="error-text run-error">{run.error}</pre>
            </Card>
          )}
          {run.error === null &&
            (base ? (
              <OutputDiff of={of} run={run} base={base} baseLetter={baseLetter} />
            ) : (
              <WholeValue title="Output" value={run.output} />
            ))}
          {!isBlind && <Scores run={run} />}
        </>
      )}
    </section>
  );
}

function Figures({ run }: { readonly run: WholeRun }) {
  const { latencyMs, costSummary, traceId, trace, isCached } = run;
  return (
    <div className="run-facts">
      <span>{formatLatency(latencyMs)}</span>
      {costSummary.total.tokens !== null && <span>{formatCount(costSummary.total.tokens)} tokens</span>}
      {costSummary.total.cost !== null && <span>{formatSmallCost(costSummary.total.cost)}</span>}
      {isCached && <ReusedMark />}
      <span className="grow" />
      {traceId !== null && (
        <Link to={tracePath(traceId, trace?.project.id)}>
          <Icon name="tracing" size={12} /> Trace
        </Link>
      )}
    </div>
  );
}

interface OutputDiffProps {
  readonly of: Compared;
  readonly run: WholeRun;
  readonly base: WholeRun;
  readonly baseLetter: string;
}

function OutputDiff({ of, run, base, baseLetter }: OutputDiffProps) {
  const labels = { left: baseLetter, right: of.letter };
  const [left, right] = [base.output as Json, run.output as Json];
  const isJson =
    isObject(left) && isObject(right) && typeof toPlain(left) === 'string' && toPlain(left).startsWith('{');
  return isJson ? (
    <JsonDiff noun="Output" left={left as JsonObject} right={right as JsonObject} labels={labels} />
  ) : (
    <TextDiff title="Output" left={toPlain(left)} right={toPlain(right)} labels={labels} />
  );
}

function Scores({ run }: { readonly run: WholeRun }) {
  const annotations = run.annotations.edges.map(({ node }) => node);
  const { personAnnotations } = run;
  if (annotations.length + personAnnotations.length === 0) return <p className="muted run-missing">No scores</p>;
  return (
    <ul className="run-scores">
      {annotations.map((each) => (
        <Score key={each.id} of={each} by={KINDS[each.annotatorKind]} />
      ))}
      {personAnnotations.map((each) => (
        <Score
          key={`${each.name} ${each.author}`}
          of={{ ...each, error: null, traceId: null, trace: null }}
          by={each.isMine ? 'you' : (each.author ?? 'a person')}
        />
      ))}
    </ul>
  );
}

const KINDS = { LLM: 'model', CODE: 'code', HUMAN: 'person' } as const;

interface ScoreProps {
  readonly of: Omit<RunAnnotation, 'id' | 'annotatorKind'>;
  /** Kind or name of the annotator. */
  readonly by: string;
}

function Score({ of, by }: ScoreProps) {
  return (
    <li>
      <div className="row">
        <span className="clip" dir="auto" title={of.name}>
          {of.name}
        </span>
        <strong dir="auto">{of.label ?? (of.score === null ? '–' : formatScore(of.score))}</strong>
        {of.label !== null && of.score !== null && <span className="muted">{formatScore(of.score)}</span>}
        <span className="muted" dir="auto">
          {by}
        </span>
        <span className="grow" />
        {of.traceId !== null && (
          <Link to={tracePath(of.traceId, of.trace?.project.id)} title={`Trace of the evaluator ${of.name}`}>
            <Icon name="tracing" size={12} /> <span className="visually-hidden">Trace of the evaluator {of.name}</span>
          </Link>
        )}
      </div>
      {of.error !== null && <p className="error-text">{of.error.slice(0, 500)}</p>}
      {of.explanation !== null && of.explanation !== '' && (
        <p className="muted" dir="auto">
          {of.explanation.slice(0, 2_000)}
        </p>
      )}
    </li>
  );
}
