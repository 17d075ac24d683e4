import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { AddToDatasetButton } from '../../../components/cases/AddToDatasetButton.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { AnnotateRows } from './AnnotateRows.tsx';
import type { BulkDialogProps } from './bulk.ts';
import { DeleteTraces } from './DeleteTraces.tsx';
import { ExportSpans } from './ExportSpans.tsx';
import { annotateSpans, deleteTraces, transferTraces } from './generated/bulk.ts';
import { MoveTraces } from './MoveTraces.tsx';

/** Actions on all selected spans or traces at once. */
export function BulkActions(props: Omit<BulkDialogProps, 'onClose'>) {
  const [opened, setOpened] = useState<'annotate' | 'move' | 'export' | 'delete'>();
  const { traceIds, otelTraceIds } = props.selected;
  const { may } = useAccess();
  const dialog = {
    ...props,
    onClose: () => setOpened(undefined),
    onDone: () => {
      setOpened(undefined);
      props.onDone();
    },
  };
  return (
    <>
      {may(annotateSpans) && (
        <button
          type="button"
          className="button"
          title="Add the same annotation to all selected rows"
          onClick={() => setOpened('annotate')}
        >
          <Icon name="edit" size={14} /> Annotate
        </button>
      )}
      <AddToDatasetButton
        label="Add the selected rows to a dataset"
        text="Add to dataset"
        projectId={props.projectId}
        spans={props.selected.spanIds}
      />
      {may(transferTraces) && (
        <button type="button" className="button" onClick={() => setOpened('move')}>
          <Icon name="right" size={14} /> Move
        </button>
      )}
      <button type="button" className="button" onClick={() => setOpened('export')}>
        <Icon name="download" size={14} /> Export
      </button>
      {may(deleteTraces) && (
        <button type="button" className="button danger" onClick={() => setOpened('delete')}>
          <Icon name="trash" size={14} /> Delete
        </button>
      )}
      {opened === 'annotate' && <AnnotateRows {...dialog} />}
      {opened === 'move' && <MoveTraces {...dialog} />}
      {opened === 'delete' && <DeleteTraces {...dialog} />}
      {opened === 'export' && (
        <ExportSpans
          projectId={props.projectId}
          what={`the spans of ${formatCount(traceIds.length)} ${traceIds.length === 1 ? 'trace' : 'traces'}`}
          selection={{ traceIds: otelTraceIds }}
          onClose={dialog.onClose}
        />
      )}
    </>
  );
}
