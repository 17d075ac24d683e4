import { type ReactNode, useState } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { AnnotateRows } from './AnnotateRows.tsx';
import type { BulkDialogProps } from './bulk.ts';
import { DeleteTraces } from './DeleteTraces.tsx';
import { ExportSpans } from './ExportSpans.tsx';
import { MoveTraces } from './MoveTraces.tsx';
import './bulk.css';

interface SelectionBarProps extends Omit<BulkDialogProps, 'onClose'> {
  readonly onClear: () => void;
  /** What else can be done with them. */
  readonly children?: ReactNode;
}

/** What can be done with the rows that are selected. */
export function SelectionBar({ onClear, children, ...props }: SelectionBarProps) {
  const [opened, setOpened] = useState<'annotate' | 'move' | 'export' | 'delete'>();
  const { traceIds, otelTraceIds } = props.selected;
  if (traceIds.length === 0) return null;
  const count = `${formatCount(traceIds.length)} ${traceIds.length === 1 ? 'trace' : 'traces'}`;
  const dialog = {
    ...props,
    onClose: () => setOpened(undefined),
    onDone: () => {
      setOpened(undefined);
      props.onDone();
    },
  };
  return (
    <div className="selection-bar" role="region" aria-label="Selected rows">
      <span>{count} selected</span>
      {children}
      <button type="button" className="button" onClick={() => setOpened('annotate')}>
        <Icon name="edit" size={14} /> Annotate
      </button>
      <button type="button" className="button" onClick={() => setOpened('move')}>
        <Icon name="right" size={14} /> Move
      </button>
      <button type="button" className="button" onClick={() => setOpened('export')}>
        <Icon name="download" size={14} /> Export
      </button>
      <button type="button" className="button danger" onClick={() => setOpened('delete')}>
        <Icon name="trash" size={14} /> Delete
      </button>
      <button type="button" className="button bare" onClick={onClear}>
        Clear
      </button>
      {opened === 'annotate' && <AnnotateRows {...dialog} />}
      {opened === 'move' && <MoveTraces {...dialog} />}
      {opened === 'delete' && <DeleteTraces {...dialog} />}
      {opened === 'export' && (
        <ExportSpans
          projectId={props.projectId}
          what={`the spans of ${count}`}
          selection={{ traceIds: otelTraceIds }}
          onClose={dialog.onClose}
        />
      )}
    </div>
  );
}
