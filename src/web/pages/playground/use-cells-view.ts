import { useState } from 'react';

/** What the cells of the grid show. */
export interface CellsView {
  /** Number of the shown repetition, from 1. */
  readonly repetition: number;
  readonly repetitions: number;
  /** Shows another repetition: the nearest one that exists. */
  readonly showRepetition: (repetition: number) => void;
  /** Whether the cells show differences from the pinned variant. */
  readonly isDiff: boolean;
  readonly toggleDiff: () => void;
}

/** State of what the cells show. With fewer repetitions than before, the last one is shown. */
export function useCellsView(repetitions: number): CellsView {
  const [wanted, setWanted] = useState(1);
  const [isDiff, setDiff] = useState(false);
  return {
    repetition: Math.min(wanted, repetitions),
    repetitions,
    showRepetition: (repetition) => setWanted(Math.min(repetitions, Math.max(1, repetition))),
    isDiff,
    toggleDiff: () => setDiff(!isDiff),
  };
}
