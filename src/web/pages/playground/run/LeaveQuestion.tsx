import { useEffect, useEffectEvent, useState } from 'react';
import { Dialog } from '../../../components/Dialog.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { addUnsavedCheck } from '../../../data/unsaved-input.ts';
import { useChange } from '../../../data/use-change.ts';
import { setLeaveGuard } from '../../../router/leave-guard.ts';

interface LeaveQuestionProps {
  /** Whether a recorded run goes on that the page would leave. */
  readonly isRunning: boolean;
  readonly onStop: () => Promise<unknown>;
  readonly onDelete: () => Promise<unknown>;
}

/** Whether a run goes on, of all pages. Closing the browser tab asks, too. */
let runs = false;
addUnsavedCheck(() => runs);

/** Asks what becomes of recorded experiments when the user leaves the page while they run. */
export function LeaveQuestion({ isRunning, onStop, onDelete }: LeaveQuestionProps) {
  const [leave, setLeave] = useState<() => void>();
  const change = useChange();
  const ask = useEffectEvent((next: () => void) => {
    setLeave(() => next);
    return true;
  });
  useEffect(() => {
    runs = isRunning;
    setLeaveGuard(isRunning ? (next) => ask(next) : undefined);
    return () => {
      runs = false;
      setLeaveGuard(undefined);
    };
  }, [isRunning]);
  if (!leave) return null;
  const after = (work: () => Promise<unknown>) => void change.run(work, leave);
  return (
    <Dialog title="Experiments are running" isOpen onClose={() => setLeave(undefined)}>
      <p>They continue on the server when you leave. You find them on the page of the dataset.</p>
      <Problem text={change.problem} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => setLeave(undefined)}>
          Stay here
        </button>
        <button type="button" className="button danger" disabled={change.isBusy} onClick={() => after(onDelete)}>
          Delete them
        </button>
        <button type="button" className="button" disabled={change.isBusy} onClick={() => after(onStop)}>
          Stop them
        </button>
        <button type="button" className="button primary" data-autofocus disabled={change.isBusy} onClick={leave}>
          Keep them running
        </button>
      </div>
    </Dialog>
  );
}
