import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { InputField } from '../../../components/fields.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { UnsavedQuestion } from '../../../components/UnsavedQuestion.tsx';
import type { Change } from '../../../data/use-change.ts';
import { Link } from '../../../router/Link.tsx';
import { canTest, TestPanel } from './TestPanel.tsx';
import type { EvaluatorTest } from './use-test.ts';

interface EvaluatorFrameProps {
  readonly test: EvaluatorTest;
  /** Undefined while the evaluator cannot run. */
  readonly onTest: (() => void) | undefined;
  /** Opens the settings of the model, where a key can be entered. */
  readonly onAddKey?: () => void;
  readonly change: Change;
  /** Label of the submit button. */
  readonly action: string;
  readonly isReady: boolean;
  readonly onSubmit: () => void;
  /** Path to which the user returns without saving. */
  readonly backTo: string;
  readonly children: ReactNode;
}

/** Form of an evaluator beside its preview. */
export function EvaluatorFrame(props: EvaluatorFrameProps) {
  const { test, onTest, onAddKey, change, action, isReady, onSubmit, backTo, children } = props;
  const [isChanged, setChanged] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    if (canTest(test, onTest)) onTest?.();
  };
  return (
    <form
      className="evaluator-page"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !change.isBusy) onSubmit();
      }}
    >
      <div className="evaluator-main" onInput={() => setChanged(true)}>
        {children}
      </div>
      <TestPanel test={test} onTest={onTest} onAddKey={onAddKey} />
      <footer className="evaluator-foot">
        <div className="grow">
          <Problem text={change.problem} />
          {!isReady && !change.problem && <p className="muted">Enter a name, and a source for each input.</p>}
        </div>
        <Link to={backTo} className="button">
          Cancel
        </Link>
        <button type="submit" className="button primary" disabled={change.isBusy || !isReady}>
          {action}
        </button>
      </footer>
      <UnsavedQuestion isChanged={isChanged} what="The changes of this evaluator" />
    </form>
  );
}

interface NameFieldsProps {
  readonly name: string;
  readonly description: string;
  readonly onName: (name: string) => void;
  readonly onDescription: (description: string) => void;
}

/** Name and description of an evaluator. */
export const NameFields = ({ name, description, onName, onDescription }: NameFieldsProps) => (
  <div className="evaluator-names">
    <InputField label="Name" required spellCheck={false} placeholder="correctness" value={name} onChange={onName} />
    <InputField label="Description" dir="auto" value={description} onChange={onDescription} />
  </div>
);

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Part of the form with a heading. */
export const Section = ({ title, actions, children }: SectionProps) => (
  <section className="card evaluator-section" aria-label={title}>
    <header className="row">
      <h2 className="grow">{title}</h2>
      {actions}
    </header>
    {children}
  </section>
);
