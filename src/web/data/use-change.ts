import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { invalidate } from './query-client.ts';
import { toFailure } from './request.ts';

export interface Change {
  readonly isBusy: boolean;
  /** Reason why the last change failed. */
  readonly problem: string | undefined;
  /** Changes data on the server, invalidates data that was read before, and calls `onDone`. */
  readonly run: (change: () => Promise<unknown>, onDone: () => void) => Promise<void>;
  readonly say: (problem: string | undefined) => void;
}

/**
 * State of a form or dialog that changes data on the server.
 *
 * @param invalidates Operations whose data the page reads again after the change. Default all.
 */
export function useChange(invalidates?: Parameters<typeof invalidate>[0]): Change {
  const [problem, setProblem] = useState<string>();
  const { isPending, mutateAsync } = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSuccess: () => void invalidate(invalidates),
  });
  return {
    isBusy: isPending,
    problem,
    say: setProblem,
    async run(change, onDone) {
      setProblem(undefined);
      try {
        await mutateAsync(change);
        onDone();
      } catch (error) {
        setProblem(toFailure(error).message);
      }
    },
  };
}
