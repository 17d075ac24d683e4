import { useEffect, useEffectEvent, useState } from 'react';
import { setLeaveGuard } from '../router/leave-guard.ts';
import { ConfirmDialog } from './Dialog.tsx';

interface UnsavedQuestionProps {
  /** Whether the page has changes that are not saved. */
  readonly isChanged: boolean;
  /** Names what would be lost, such as `The changes of this evaluator`. */
  readonly what: string;
}

/** Asks before a link, Back or Forward leaves a page with changes that are not saved. */
export function UnsavedQuestion({ isChanged, what }: UnsavedQuestionProps) {
  const [leave, setLeave] = useState<() => void>();
  const ask = useEffectEvent((next: () => void) => {
    setLeave(() => next);
    return true;
  });
  useEffect(() => {
    if (!isChanged) return;
    setLeaveGuard((next) => ask(next));
    return () => setLeaveGuard(undefined);
  }, [isChanged]);
  if (!leave) return null;
  return (
    <ConfirmDialog
      title="Leave without saving?"
      isOpen
      onClose={() => setLeave(undefined)}
      consequence={`${what} are not saved. They are lost when you leave.`}
      action="Leave"
      isBusy={false}
      onConfirm={leave}
    />
  );
}
