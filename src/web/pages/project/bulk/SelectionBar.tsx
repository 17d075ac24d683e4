import { type ReactNode, useEffect } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { addSpanAnnotation } from '../../../components/annotations/generated/annotations.ts';
import { Icon } from '../../../components/Icon.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { useHotkeys } from '../../../shell/use-hotkeys.ts';
import { setSelectedOrder } from '../../trace/order/trace-order.ts';
import './bulk.css';

interface SelectionBarProps {
  readonly count: number;
  /** Name of one row. */
  readonly noun: 'span' | 'trace' | 'session';
  /** Whether a row is open over the table. Its keys then have priority. Default false. */
  readonly isOpen?: boolean;
  /** Opens the selected rows one after another for annotation. */
  readonly onQueue: () => void;
  readonly onClear: () => void;
  /** Further actions. */
  readonly children?: ReactNode;
}

/** Actions on the selected rows. The bar is below the rows and covers none. */
export function SelectionBar({ count, noun, isOpen = false, onQueue, onClear, children }: SelectionBarProps) {
  const { may } = useAccess();
  const canAnnotate = may(addSpanAnnotation);
  useHotkeys(canAnnotate && count > 0 && !isOpen ? { e: onQueue } : {});
  // A user who returns to the table has finished with the previous rows.
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
      {canAnnotate && (
        <button type="button" className="button" title="Annotate one after another" onClick={onQueue}>
          <Icon name="list" size={14} /> Queue <kbd>E</kbd>
        </button>
      )}
      {children}
      <button type="button" className="button bare" onClick={onClear}>
        Clear
      </button>
    </div>
  );
}
