import { useHotkeys } from '../../shell/use-hotkeys.ts';
import type { Runs } from './run/use-runs.ts';
import type { Case } from './state/cases.ts';
import type { CellsView } from './use-cells-view.ts';
import type { Column } from './use-columns.ts';

/** Cell with the keyboard. Row -1 for none. */
export interface GridPosition {
  readonly row: number;
  readonly column: number;
}

interface PlaygroundKeys {
  readonly columns: readonly Column[];
  readonly cases: readonly Case[];
  readonly runs: Runs;
  readonly position: GridPosition;
  readonly setPosition: (position: GridPosition) => void;
  readonly view: CellsView;
  readonly onOpen: (variantId: string, caseId: string) => void;
  /** Opens the annotations of the marked output. */
  readonly onAnnotate: () => void;
}

const NO_KEYS = {};

/** Keys of the playground. Those with `mod` also work while the user types. */
export function usePlaygroundKeys(keys: PlaygroundKeys): void {
  const { columns, cases, runs, view, position, setPosition, onOpen, onAnnotate } = keys;
  const move = (rows: number, steps: number) => {
    // Enter then opens the marked output, and does not press the button that was used before.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setPosition({
      row: Math.min(cases.length - 1, Math.max(0, position.row + rows)),
      column: Math.min(columns.length - 1, Math.max(0, position.column + steps)),
    });
  };
  const openCell = () => {
    const [column, each] = [columns[position.column], cases[position.row]];
    if (column && each) onOpen(column.variant.id, each.id);
  };
  useHotkeys({
    'mod+Enter': () => runs.run(),
    'mod+shift+Enter': () => runs.run([focusedVariant() ?? columns[position.column]?.variant.id ?? '']),
    j: () => move(1, 0),
    k: () => move(-1, 0),
    l: () => move(position.row < 0 ? 1 : 0, 1),
    h: () => move(position.row < 0 ? 1 : 0, -1),
    d: view.toggleDiff,
    ...(cases.length > 0 && { e: onAnnotate }),
    ...(view.repetitions > 1 && {
      '[': () => view.showRepetition(view.repetition - 1),
      ']': () => view.showRepetition(view.repetition + 1),
    }),
    ...(position.row >= 0 && { Enter: openCell }),
  });
  // After a run by keys, the focus is still in the text that was edited.
  useHotkeys(runs.isRunning ? { escape: runs.stopAll } : NO_KEYS, { worksInFields: true });
}

/** The variant in whose column the focus is. */
const focusedVariant = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-variant]')?.dataset.variant;
