import type { ReactNode } from 'react';
import { Icon } from '../../components/Icon.tsx';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { isMac } from '../../shell/use-hotkeys.ts';
import type { Runs } from './run/use-runs.ts';
import type { CellsView } from './use-cells-view.ts';

interface PlaygroundHeaderProps {
  readonly runs: Runs;
  /** What a run is likely to cost. */
  readonly estimate: ReactNode;
  readonly canRun: boolean;
  readonly canDiff: boolean;
  readonly view: CellsView;
  readonly onCopyLink: () => void;
}

/** Runs and stops all variants, and chooses what their cells show. */
export function PlaygroundHeader({ runs, estimate, canRun, canDiff, view, onCopyLink }: PlaygroundHeaderProps) {
  const { repetition, repetitions, showRepetition, isDiff, toggleDiff } = view;
  const keys = isMac() ? '⌘↵' : 'Ctrl ↵';
  return (
    <PageHeader crumbs={[{ label: 'Playground' }]}>
      {estimate}
      <button
        type="button"
        className="button bare small icon-only"
        aria-label="Copy a link to this content"
        title="Copy a link to this content"
        onClick={onCopyLink}
      >
        <Icon name="link" size={13} />
      </button>
      <button
        type="button"
        className="button small"
        aria-pressed={isDiff}
        title="Show differences from the pinned variant (D)"
        disabled={!canDiff}
        onClick={toggleDiff}
      >
        Diff
      </button>
      {repetitions > 1 && (
        <label className="row">
          <span className="muted">Repetition</span>
          <select className="input" value={repetition} onChange={({ target }) => showRepetition(Number(target.value))}>
            {Array.from({ length: repetitions }, (_, index) => index + 1).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
      {runs.isRunning ? (
        <button type="button" className="button danger" title="Stop all variants (Esc)" onClick={runs.stopAll}>
          Stop all <kbd>Esc</kbd>
        </button>
      ) : (
        <button type="button" className="button primary" disabled={!canRun} onClick={() => runs.run()}>
          <Icon name="play" size={13} /> Run all <span className="run-keys">{keys}</span>
        </button>
      )}
    </PageHeader>
  );
}
