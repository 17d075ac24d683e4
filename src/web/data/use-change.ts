import { useState } from 'react';
import { forgetAnswers, toFailure } from './use-query.ts';
import { forgetRows } from './use-rows.ts';

export interface Change {
  readonly isBusy: boolean;
  /** Why the last one failed. */
  readonly problem: string | undefined;
  /** Changes something on the server; `onDone` once it is done. What was read before holds no more. */
  readonly run: (change: () => Promise<unknown>, onDone: () => void) => Promise<void>;
  readonly say: (problem: string | undefined) => void;
}

/** What a form or a dialog needs while it changes something. */
export function useChange(): Change {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  return {
    isBusy,
    problem,
    say: setProblem,
    async run(change, onDone) {
      setBusy(true);
      setProblem(undefined);
      try {
        await change();
        forgetAnswers();
        forgetRows();
        onDone();
      } catch (error) {
        setProblem(toFailure(error).message);
      } finally {
        setBusy(false);
      }
    },
  };
}
