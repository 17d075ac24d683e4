import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { addUnsavedCheck } from '../../../data/unsaved-input.ts';
import { collect, type Step } from './pending-changes.ts';

/** Unsaved changes by dataset. They stay while the user looks at other pages. */
const stepsByDataset = new Map<string, readonly Step[]>();
const listeners = new Set<() => void>();
const NO_STEPS: readonly Step[] = [];

addUnsavedCheck(() => [...stepsByDataset.values()].some(({ length }) => length > 0));

function set(datasetId: string, steps: readonly Step[]): void {
  stepsByDataset.set(datasetId, steps);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Unsaved changes of a dataset's examples. */
export function usePendingChanges(datasetId: string) {
  const steps = useSyncExternalStore(subscribe, () => stepsByDataset.get(datasetId) ?? NO_STEPS);
  const collected = useMemo(() => collect(steps), [steps]);
  const add = useCallback(
    (step: Step) => set(datasetId, [...(stepsByDataset.get(datasetId) ?? NO_STEPS), step]),
    [datasetId],
  );
  return {
    steps,
    collected,
    add,
    undo: () => set(datasetId, steps.slice(0, -1)),
    discard: () => set(datasetId, NO_STEPS),
    replace: (next: readonly Step[]) => set(datasetId, next),
  };
}

export type PendingChanges = ReturnType<typeof usePendingChanges>;
