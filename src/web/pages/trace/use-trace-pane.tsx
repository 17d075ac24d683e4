import { type ReactNode, useState } from 'react';
import { AnnotationPane, type Subject } from '../../components/annotations/AnnotationPane.tsx';
import { dropKeys } from '../../components/annotations/held-keys.ts';
import { type Annotations, useAnnotations } from '../../components/annotations/use-annotations.ts';
import { FailureBoundary } from '../../components/Failure.tsx';
import { setSearch, useLocation } from '../../router/location.ts';
import { useHotkeys } from '../../shell/use-hotkeys.ts';
import { useQueue } from './order/use-queue.ts';

/** Objects of a trace that can be annotated, besides documents. Value of `aside` in the address. */
export type TraceSubject = 'annotations' | 'trace';

export interface TracePane {
  /** Undefined while the pane is closed. */
  readonly pane: ReactNode | undefined;
  /** ID of the subject that the pane shows. */
  readonly openId: string | undefined;
  readonly ofSpan: Annotations;
  readonly ofTrace: Annotations;
  readonly open: (id: TraceSubject) => void;
  readonly close: () => void;
}

const DOCUMENT = /^document-([1-9]\d{0,5})$/;

/** Value in the address for a document, by its position in the span. */
export const documentAside = (position: number): string => `document-${position + 1}`;

/** Annotation pane of a trace. It annotates the selected span, one of its documents, or the whole trace. */
export function useTracePane(traceNodeId: string | undefined, spanNodeId: string | undefined): TracePane {
  const { search } = useLocation();
  const aside = search.get('aside') ?? '';
  const rank = DOCUMENT.exec(aside)?.[1];
  const ofSpan = useAnnotations(spanNodeId === undefined ? undefined : { kind: 'span', id: spanNodeId });
  const ofTrace = useAnnotations(traceNodeId === undefined ? undefined : { kind: 'trace', id: traceNodeId });
  const ofDocument = useAnnotations(
    rank === undefined || spanNodeId === undefined
      ? undefined
      : { kind: 'document', id: spanNodeId, position: Number(rank) - 1 },
  );
  const subjects: readonly Subject[] = [
    { id: 'annotations', label: 'Span', keys: 'E', annotations: ofSpan },
    ...(rank === undefined ? [] : [{ id: aside, label: `Document ${rank}`, annotations: ofDocument }]),
    { id: 'trace', label: 'Trace', keys: 'Shift E', annotations: ofTrace },
  ];
  const subject = subjects.find(({ id }) => id === aside);
  const { queue, goOn } = useQueue(aside === 'trace' ? 'trace' : 'span');
  const [focusRequest, setFocusRequest] = useState(subject && queue?.isOn ? 1 : 0);
  const requestFocus = () => setFocusRequest((count) => count + 1);
  const open = (id: TraceSubject) => {
    setSearch({ aside: id }, { replaces: true });
    requestFocus();
  };
  const close = () => setSearch({ aside: null }, { replaces: true });
  const next = async () => {
    if (!subject) setSearch({ aside: 'annotations' }, { replaces: true });
    if (await goOn()) requestFocus();
    else dropKeys();
  };
  useHotkeys({ e: () => open('annotations'), 'shift+e': () => open('trace'), q: () => void next() });
  const pane = subject && (
    <FailureBoundary name="The annotations">
      <AnnotationPane
        subjects={subjects}
        subject={subject}
        onSubject={({ id }) => setSearch({ aside: id }, { replaces: true })}
        queue={rank === undefined ? queue : undefined}
        onNext={() => void next()}
        focusRequest={focusRequest}
        onClose={close}
      />
    </FailureBoundary>
  );
  return { pane, openId: subject?.id, ofSpan, ofTrace, open, close };
}
