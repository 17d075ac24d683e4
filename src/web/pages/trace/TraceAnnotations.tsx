import { useState } from 'react';
import { AnnotationChip } from '../../components/annotations/AnnotationChip.tsx';
import { AnnotationList, type Editing } from '../../components/annotations/AnnotationList.tsx';
import { useAnnotations } from '../../components/annotations/use-annotations.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useHotkeys } from '../../shell/use-hotkeys.ts';

const CHIP_COUNT_MAX = 4;

/** What is said of a whole trace: chips among its facts, and the rest on demand. */
export function TraceAnnotations({ traceNodeId }: { readonly traceNodeId: string }) {
  const annotations = useAnnotations({ kind: 'trace', id: traceNodeId });
  const [isOpen, setOpen] = useState(false);
  const [editing, setEditing] = useState<Editing>();
  const open = (what: Editing) => {
    setEditing(what);
    setOpen(true);
  };
  const annotate = () => open('new');
  useHotkeys({ 'shift+e': annotate });
  const given = annotations.annotations;
  return (
    <span className="fact trace-annotations">
      {given.slice(0, CHIP_COUNT_MAX).map((annotation) => (
        <button key={annotation.id} type="button" className="plain-button" onClick={() => open(annotation)}>
          <AnnotationChip {...annotation} title={annotation.explanation ?? undefined} />
        </button>
      ))}
      <button type="button" className="button small" onClick={() => open(given.length === 0 ? 'new' : undefined)}>
        {given.length === 0 ? (
          <>
            <Icon name="plus" size={12} /> Annotate trace
          </>
        ) : (
          `${given.length} ${given.length === 1 ? 'annotation' : 'annotations'}`
        )}
      </button>
      <Dialog title="Annotations of the trace" isOpen={isOpen} onClose={() => setOpen(false)}>
        <AnnotationList of={annotations} editing={editing} onEdit={setEditing} />
      </Dialog>
    </span>
  );
}
