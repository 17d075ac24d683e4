import { type ReactNode, useEffect } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { useHotkeys } from '../../../shell/use-hotkeys.ts';
import { setSelectedOrder } from '../../trace/trace-order.ts';
import './bulk.css';

interface SelectionBarProps {
  readonly count: number;
  /** What one of them is called. */
  readonly noun: 'span' | 'trace' | 'session';
  /** Whether a row is open over the table, whose keys go first. Default false. */
  readonly isOpen?: boolean;
  /** Annotates them one after another. */
  readonly onQueue: () => void;
  readonly onClear: () => void;
  /** What else can be done with them. */
  readonly children?: ReactNode;
}

/** What can be done with the rows that are selected. It stands below them and covers none. */
export function SelectionBar({ count, noun, isOpen = false, onQueue, onClear, children }: SelectionBarProps) {
  useHotkeys(count > 0 && !isOpen ? { e: onQueue } : {});
  // Whoever is back at the table has done with the rows of before.
  useEffect(() => {
    if (!isOpen) setSelectedOrder([]);
  }, [isOpen]);
  if (count === 0) return null;
  return (
    <div className="selection-bar" role="region" aria-label="Selected rows">
      <span>
        {formatCount(count)} {noun}
        {count === 1 ? '' : 's'} selected
      </span>
      <button type="button" className="button" title="Annotate one after another" onClick={onQueue}>
        <Icon name="list" size={14} /> Queue <kbd>E</kbd>
      </button>
      {children}
      <button type="button" className="button bare" onClick={onClear}>
        Clear
      </button>
    </div>
  );
}
