import type { ReactNode } from 'react';
import { Icon } from '../Icon.tsx';
import './annotations.css';

interface AnnotationPaneProps {
  readonly title: string;
  readonly queue: { readonly isOn: boolean; readonly toggle: () => void; readonly goOn: () => void };
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Beside what is judged, so that both are in sight. */
export function AnnotationPane({ title, queue, onClose, children }: AnnotationPaneProps) {
  return (
    <aside
      className="annotation-pane"
      aria-label={title}
      onKeyDown={(event) => {
        // React has keys of a menu or a dialog that was opened from here go up to it, though these are not in it.
        if (event.key !== 'Escape' || !event.currentTarget.contains(event.target as Node)) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <header>
        <h3 className="clip grow">{title}</h3>
        <button
          type="button"
          className="button small"
          aria-pressed={queue.isOn}
          title="After each, on to the next row without an annotation by you"
          onClick={queue.toggle}
        >
          Queue
        </button>
        <button
          type="button"
          className="button small"
          title="Next without an annotation by you (Q)"
          onClick={queue.goOn}
        >
          Next open <kbd>Q</kbd>
        </button>
        <button type="button" className="button bare small icon-only" aria-label="Close annotations" onClick={onClose}>
          <Icon name="close" size={12} />
        </button>
      </header>
      {children}
    </aside>
  );
}
