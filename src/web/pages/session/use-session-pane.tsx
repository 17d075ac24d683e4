import { type ReactNode, useState } from 'react';
import { AnnotationPane, type Subject } from '../../components/annotations/AnnotationPane.tsx';
import { dropKeys } from '../../components/annotations/held-keys.ts';
import { type Annotations, useAnnotations } from '../../components/annotations/use-annotations.ts';
import { FailureBoundary } from '../../components/Failure.tsx';
import { setSearch, useLocation } from '../../router/location.ts';
import { useHotkeys } from '../../shell/use-hotkeys.ts';
import { useQueue } from '../trace/order/use-queue.ts';
import type { Turn } from './use-turns.ts';

export interface SessionPane {
  /** Undefined while the pane is closed. */
  readonly pane: ReactNode | undefined;
  readonly ofSession: Annotations;
  readonly isOfSession: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

const TURN = 'turn-';

/** Value in the address for an annotated turn. */
export const turnAside = ({ traceId }: Turn): string => TURN + traceId;

/**
 * Annotation pane of a session. It annotates the session or one of its turns.
 *
 * @param isBeside Whether a trace is open beside the session. The pane then belongs to the trace.
 */
export function useSessionPane(sessionNodeId: string, turns: readonly Turn[], isBeside: boolean): SessionPane {
  const { search } = useLocation();
  const aside = isBeside ? '' : (search.get('aside') ?? '');
  const turnIndex = turns.findIndex((each) => turnAside(each) === aside);
  const turn = turns[turnIndex];
  const ofSession = useAnnotations({ kind: 'session', id: sessionNodeId });
  const ofTurn = useAnnotations(turn && { kind: 'trace', id: turn.id });
  const ownSubject: Subject = { id: 'annotations', label: 'Session', keys: 'E', annotations: ofSession };
  const subjects: readonly Subject[] = [
    ownSubject,
    ...(turn ? [{ id: aside, label: `Turn ${turnIndex + 1}`, annotations: ofTurn }] : []),
  ];
  // If the turn is not loaded yet or belongs to another session, the pane shows the session.
  const subject = subjects.find(({ id }) => id === aside) ?? (aside.startsWith(TURN) ? ownSubject : undefined);
  const { queue, goOn } = useQueue('session');
  const [focusRequest, setFocusRequest] = useState(subject && queue?.isOn ? 1 : 0);
  const requestFocus = () => setFocusRequest((count) => count + 1);
  const open = () => {
    setSearch({ aside: 'annotations', sessionView: null, selectedTraceId: null }, { replaces: true });
    requestFocus();
  };
  const close = () => setSearch({ aside: null }, { replaces: true });
  const next = async () => {
    if (!subject) setSearch({ aside: 'annotations' }, { replaces: true });
    if (await goOn()) requestFocus();
    else dropKeys();
  };
  useHotkeys(isBeside ? {} : { e: open, q: () => void next() });
  const pane = subject && (
    <FailureBoundary name="The annotations">
      <AnnotationPane
        subjects={subjects}
        subject={subject}
        onSubject={({ id }) => setSearch({ aside: id }, { replaces: true })}
        queue={turn ? undefined : queue}
        onNext={() => void next()}
        focusRequest={focusRequest}
        onClose={close}
      />
    </FailureBoundary>
  );
  return { pane, ofSession, isOfSession: subject === ownSubject, open, close };
}
