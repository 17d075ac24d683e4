import { Scorecard } from '../../../components/annotations/Scorecard.tsx';
import { Failure } from '../../../components/Failure.tsx';
import type { Compared } from '../compared.ts';
import { ExperimentName } from '../ExperimentMark.tsx';
import type { WholeRun } from '../row/whole-run.ts';
import { useRunAnnotations } from './use-run-annotations.ts';
import '../../../components/annotations/annotations.css';

interface AnnotateRunProps {
  /** Experiment of the run. Blind if its name is hidden. */
  readonly of: Compared | undefined;
  readonly run: WholeRun | undefined;
  readonly viewerId: string | undefined;
  readonly isBlind: boolean;
  /** Goes on when all configs of the run have an annotation. */
  readonly onNextRun: () => void;
  readonly onReveal: () => void;
}

/** Inputs for the annotation configs of the server, for the marked run. Digits choose labels and enter scores. */
export function AnnotateRun({ of, run, viewerId, isBlind, onNextRun, onReveal }: AnnotateRunProps) {
  const annotations = useRunAnnotations(run, viewerId);
  return (
    <aside className="annotate-run" aria-label="Annotate the run">
      <header>
        {of && <ExperimentName of={of} />}
        <span className="grow" />
        {isBlind && (
          <button
            type="button"
            className="button small"
            title="Shows names and scores of this example (R)"
            onClick={onReveal}
          >
            Done, reveal <kbd>R</kbd>
          </button>
        )}
      </header>
      {annotations.failure ? (
        <Failure failure={annotations.failure} onRetry={annotations.refetch} />
      ) : !run ? (
        <p className="muted">There is no run to annotate.</p>
      ) : (
        <Scorecard key={run.id} of={annotations} focusRequest={0} wanted={undefined} onDone={onNextRun} />
      )}
      <p className="muted annotate-keys">
        <kbd>H</kbd> <kbd>L</kbd> previous and next run, <kbd>J</kbd> <kbd>K</kbd> next and previous example
      </p>
    </aside>
  );
}
