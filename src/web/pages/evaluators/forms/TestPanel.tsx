import { useEffect, useRef } from 'react';
import { isKeyProblem } from '../../../components/prompt/model/key-problem.ts';
import { useAccess } from '../../../access/use-access.ts';
import { formatScore } from '../../../components/annotations/format-score.ts';
import { Editor } from '../../../components/editor/Editor.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { formatLatency } from '../../../format/numbers.ts';
import { Link } from '../../../router/Link.tsx';
import { isMac } from '../../../shell/use-hotkeys.ts';
import { testEvaluator } from './generated/forms.ts';
import type { EvaluatorTest, TestResult } from './use-test.ts';

interface TestPanelProps {
  readonly test: EvaluatorTest;
  /** Undefined while the evaluator cannot run. */
  readonly onTest: (() => void) | undefined;
  /** Opens the settings of the model. Undefined for evaluators without one. */
  readonly onAddKey: (() => void) | undefined;
}

const TYPED = 'typed';

/** Values of an example or of the user, the inputs that the evaluator gets from them, and its result on them. */
export function TestPanel({ test, onTest, onAddKey }: TestPanelProps) {
  const { may } = useAccess();
  const { examples, exampleId, inputs, problem, context, isRunning, results, failure } = test;
  return (
    <aside className="evaluator-test" aria-label="Preview and test">
      <header className="row">
        <h2 className="grow">Preview</h2>
        <select
          className="input"
          aria-label="Example"
          value={exampleId ?? TYPED}
          onChange={({ target }) => test.choose(target.value === TYPED ? undefined : target.value)}
        >
          {examples.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
          <option value={TYPED}>Typed values</option>
        </select>
      </header>
      {exampleId === undefined && (
        <>
          {test.isLoaded && examples.length === 0 && (
            <p className="muted">The dataset has no examples. Type the values that an example would have.</p>
          )}
          <Editor label="Values as JSON" language="json" value={test.text} onChange={test.setText} />
          {!context && <p className="error-text">Enter an object, such as {'{"input": …, "output": …}'}.</p>}
        </>
      )}
      <Problem text={problem} />
      {test.lacksOutput && (
        <div className="evaluator-lacks" role="note">
          <p>No experiment has run this example, so it has no output to evaluate.</p>
          {test.useReference ? (
            <button type="button" className="button small" onClick={test.useReference}>
              Use its reference as output
            </button>
          ) : (
            <p className="muted">Choose “Typed values” to enter an output.</p>
          )}
        </div>
      )}
      <dl className="evaluator-values" aria-label="Values of the inputs">
        {inputs.map(({ name, value, problem: wrong }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{wrong === null ? <JsonView value={value} /> : <span className="error-text">{wrong}</span>}</dd>
          </div>
        ))}
      </dl>
      {inputs.length === 0 && problem === undefined && context && (
        <p className="muted">No input has a source. Inputs with the name of a value below get it.</p>
      )}
      {exampleId !== undefined && context && (
        <details className="evaluator-context">
          <summary>Values that paths can use</summary>
          <JsonView value={context} />
        </details>
      )}
      {may(testEvaluator) && (
        <div className="row">
          {isRunning ? (
            <button type="button" className="button" onClick={test.stop}>
              <Icon name="close" size={13} /> Stop
            </button>
          ) : (
            <button
              type="button"
              className="button"
              disabled={!canTest(test, onTest)}
              title={`Test these values (${isMac() ? '⌘↵' : 'Ctrl+Enter'})`}
              onClick={() => onTest?.()}
            >
              <Icon name="play" size={13} /> Test
            </button>
          )}
          <span className="muted" role="status">
            {isRunning ? 'Running…' : results ? '' : 'Runs on these values and stores nothing.'}
          </span>
        </div>
      )}
      <Problem text={failure} />
      {!isRunning &&
        results?.map((result) => <Result key={result.evaluatorName} result={result} onAddKey={onAddKey} />)}
    </aside>
  );
}

/** A result on an output that does not exist would be misleading. */
export const canTest = (
  { context, lacksOutput, isRunning }: EvaluatorTest,
  onTest: (() => void) | undefined,
): boolean => onTest !== undefined && context !== undefined && !lacksOutput && !isRunning;

interface ResultProps extends Pick<TestPanelProps, 'onAddKey'> {
  readonly result: TestResult;
}

/** Result of one output. In a narrow window it is below the visible part of the page, which then moves to it. */
function Result({ result: { evaluatorName, annotation, error, trace }, onAddKey }: ResultProps) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => void card.current?.scrollIntoView({ block: 'nearest' }), []);
  const printed = (annotation?.metadata as { readonly printed?: unknown } | null)?.printed;
  return (
    <section
      ref={card}
      className="card evaluator-result"
      data-failed={error !== null}
      aria-label={`Result of ${evaluatorName}`}
    >
      <header className="row">
        <strong className="clip grow" dir="auto">
          {evaluatorName}
        </strong>
        {annotation && (
          <span className="muted">
            {formatLatency(Date.parse(annotation.endTime ?? '') - Date.parse(annotation.startTime ?? ''))}
          </span>
        )}
        {trace && (
          <Link
            to={`/projects/${encodeURIComponent(trace.projectId)}/traces/${trace.traceId}`}
            className="button small"
          >
            <Icon name="tracing" size={12} /> Trace
          </Link>
        )}
      </header>
      {error !== null && <p className="error-text">{error}</p>}
      {error !== null && onAddKey && isKeyProblem(error) && (
        <button type="button" className="button small" onClick={onAddKey}>
          Set the key
        </button>
      )}
      {annotation && (
        <p className="row">
          {annotation.label !== null && <span className="evaluator-label">{annotation.label}</span>}
          {annotation.score !== null && <span>{formatScore(annotation.score)}</span>}
          {annotation.label === null && annotation.score === null && <span className="muted">No label, no score</span>}
        </p>
      )}
      {annotation?.explanation && <p dir="auto">{annotation.explanation}</p>}
      {typeof printed === 'string' && (
        <details open>
          <summary>Printed</summary>
          <pre className="evaluator-printed">{printed}</pre>
        </details>
      )}
    </section>
  );
}
