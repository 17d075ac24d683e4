import { useState } from 'react';
import { AnnotationChips } from '../../components/annotations/AnnotationChips.tsx';
import { AnnotationList } from '../../components/annotations/AnnotationList.tsx';
import { useAnnotations } from '../../components/annotations/use-annotations.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useHotkeys } from '../../shell/use-hotkeys.ts';

const CHIP_COUNT_MAX = 4;

/** What is said of a whole trace: chips among its facts, and the rest on demand. */
export function TraceAnnotations({ traceNodeId }: { readonly traceNodeId: string }) {
  const annotations = useAnnotations({ kind: 'trace', id: traceNodeId });
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState(0);
  const open = () => {
    setOpen(true);
    setAsked(asked + 1);
  };
  useHotkeys({ 'shift+e': open });
  const saidCount = annotations.annotations.length + annotations.notes.length;
  return (
    <span className="fact trace-annotations">
      <AnnotationChips annotations={annotations.annotations} onOpen={open} countMax={CHIP_COUNT_MAX} />
      <button type="button" className="button small" onClick={open}>
        {saidCount === 0 ? (
          <>
            <Icon name="plus" size={12} /> Annotate trace
          </>
        ) : (
          `${saidCount} said`
        )}
      </button>
      <Dialog title="Annotations of the trace" isOpen={isOpen} onClose={() => setOpen(false)}>
        <AnnotationList of={annotations} asked={asked} />
      </Dialog>
    </span>
  );
}
