import { createContext, useContext, useState } from 'react';

/** Steps that the user has opened or closed, by row id, because a step moves when spans arrive above it. */
export const StepFolds = createContext<Map<number, boolean>>(new Map());

/** Whether a step is open, and a function to open or close it. */
export function useStepFold(rowId: number, isOpenAtFirst: boolean): [boolean, (isOpen: boolean) => void] {
  const folds = useContext(StepFolds);
  const [isOpen, setOpen] = useState(() => folds.get(rowId) ?? isOpenAtFirst);
  return [
    isOpen,
    (next) => {
      folds.set(rowId, next);
      setOpen(next);
    },
  ];
}
