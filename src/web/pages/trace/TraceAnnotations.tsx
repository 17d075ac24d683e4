import { useAccess } from '../../access/use-access.ts';
import { AnnotationChips } from '../../components/annotations/AnnotationChips.tsx';
import { addTraceAnnotation } from '../../components/annotations/generated/annotations.ts';
import { Icon } from '../../components/Icon.tsx';
import type { TracePane } from './use-trace-pane.tsx';

const CHIP_COUNT_MAX = 4;

/** Annotations of a whole trace, shown as chips among its facts. The pane shows them in full. */
export function TraceAnnotations({ pane: { ofTrace, openId, open, close } }: { readonly pane: TracePane }) {
  const count = ofTrace.annotations.length + ofTrace.notes.length;
  const isOpen = openId === 'trace';
  const { may } = useAccess();
  const toggle = () => (isOpen ? close() : open('trace'));
  if (count === 0 && !isOpen && !may(addTraceAnnotation)) return null;
  return (
    <span className="fact trace-annotations">
      <AnnotationChips annotations={ofTrace.annotations} onOpen={() => open('trace')} countMax={CHIP_COUNT_MAX} />
      <button type="button" className="button small" aria-expanded={isOpen} title="Shift E" onClick={toggle}>
        {count === 0 ? (
          <>
            <Icon name="plus" size={12} /> Annotate trace
          </>
        ) : count === 1 ? (
          '1 annotation'
        ) : (
          `${count} annotations`
        )}
      </button>
    </span>
  );
}
