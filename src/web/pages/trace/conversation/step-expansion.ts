import { createContext, useContext, useState } from 'react';

/** Steps that the user has opened or closed, by row id, because a step moves when spans arrive above it. */
export const StepExpansion = createContext<Map<number, boolean>>(new Map());

/** Whether a step is open, and a function to open or close it. */
export function useStepExpansion(rowId: number, isOpenAtFirst: boolean): [boolean, (isOpen: boolean) => void] {
  const expansion = useContext(StepExpansion);
  const [isOpen, setOpen] = useState(() => expansion.get(rowId) ?? isOpenAtFirst);
  return [
    isOpen,
    (next) => {
      expansion.set(rowId, next);
      setOpen(next);
    },
  ];
}
