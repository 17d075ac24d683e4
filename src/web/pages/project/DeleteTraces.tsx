import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { tell } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { forgetAnswers, toFailure } from '../../data/use-query.ts';
import { forgetRows } from '../../data/use-rows.ts';
import { formatCount } from '../../format/numbers.ts';
import { deleteTraces } from './generated/project.ts';

interface DeleteTracesProps {
  readonly traceIds: readonly string[];
  readonly onClear: () => void;
  readonly onDeleted: () => void;
  /** What else can be done with them. */
  readonly children?: ReactNode;
}

/** What can be done with the rows that are selected. */
export function DeleteTraces({ traceIds, onClear, onDeleted, children }: DeleteTracesProps) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (traceIds.length === 0) return null;
  const count = `${formatCount(traceIds.length)} ${traceIds.length === 1 ? 'trace' : 'traces'}`;
  const ask = () => {
    setProblem(undefined);
    setAsking(true);
  };
  const confirm = async () => {
    setBusy(true);
    try {
      await send(deleteTraces, { traceIds });
      forgetRows();
      forgetAnswers();
      setAsking(false);
      tell(`${count} deleted.`);
      onDeleted();
    } catch (error) {
      setProblem(toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="selection-bar" role="region" aria-label="Selected rows">
      <span>{count} selected</span>
      {children}
      <button type="button" className="button danger" onClick={ask}>
        <Icon name="trash" size={14} /> Delete
      </button>
      <button type="button" className="button bare" onClick={onClear}>
        Clear
      </button>
      <ConfirmDialog
        title={`Delete ${count}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        consequence={`Whole traces go, with all of their spans and annotations. This cannot be undone.`}
        action={`Delete ${count}`}
        isBusy={isBusy}
        problem={problem}
        onConfirm={confirm}
      />
    </div>
  );
}
