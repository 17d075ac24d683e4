import { createContext, useContext, useState } from 'react';

/** Which steps somebody has opened or closed, by row id: a step moves when spans arrive that are above it. */
export const StepFolds = createContext<Map<number, boolean>>(new Map());

/** Whether a step is open, and how to open or close it. */
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
