import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { formatCount } from '../../format/numbers.ts';
import { isTyping, useHotkeys } from '../../shell/use-hotkeys.ts';
import { Failure } from '../Failure.tsx';
import { Icon } from '../Icon.tsx';
import { AnnotationList } from './AnnotationList.tsx';
import { addSpanAnnotation } from './generated/annotations.ts';
import { dropKeys } from './held-keys.ts';
import { Scorecard } from './Scorecard.tsx';
import type { Annotations } from './use-annotations.ts';
import './annotations.css';

/** An object that the pane can annotate. */
export interface Subject {
  /** Also its value in the address. */
  readonly id: string;
  /** For example `Span` or `Document 2`. */
  readonly label: string;
  /** Keyboard shortcut that selects it. */
  readonly keys?: string;
  readonly annotations: Annotations;
}

interface QueueState {
  readonly isOn: boolean;
  readonly toggle: () => void;
  /** Position of the current row, from 1. */
  readonly position: number;
  readonly count: number;
}

interface AnnotationPaneProps {
  readonly subjects: readonly Subject[];
  readonly subject: Subject;
  readonly onSubject: (subject: Subject) => void;
  /** Undefined when there is no list of rows. */
  readonly queue: QueueState | undefined;
  /** Opens the next row. */
  readonly onNext: () => void;
  /** Increases each time the user presses a key to annotate. */
  readonly focusRequest: number;
  /** Called when all configs have an annotation and the last one was made by keyboard. Default: the next row of a queue that is on. */
  readonly onDone?: () => void;
  /** Reason why there is no object to annotate. Undefined if there is one, or while it loads. */
  readonly nothing?: string | undefined;
  readonly onClose: () => void;
}

/**
 * Pane in which a user annotates spans, traces, sessions, turns and documents. It is shown beside the annotated object
 * and does not cover it. Its keys work while it is open, wherever the focus is, except in a text field.
 */
export function AnnotationPane({ subjects, subject, queue, focusRequest, ...props }: AnnotationPaneProps) {
  const { onSubject, onNext, onDone, nothing, onClose } = props;
  const { annotations } = subject;
  const { may, isKnown } = useAccess();
  const canAnnotate = may(addSpanAnnotation);
  const [wanted, setWanted] = useState<{ readonly name: string; readonly count: number }>();
  const close = () => {
    dropKeys();
    onClose();
  };
  useHotkeys({ escape: close }, { isFirst: true });
  return (
    <aside
      className="annotation-pane"
      tabIndex={-1}
      aria-label={`Annotations of ${/^(Document|Turn)/.test(subject.label) ? '' : 'the '}${subject.label.charAt(0).toLowerCase()}${subject.label.slice(1)}`}
      onKeyDown={(event) => {
        // Leaves a text field, so that keys work again. React also bubbles key events of dialogs that were opened from
        // here.
        if (event.key !== 'Escape' || !event.currentTarget.contains(event.target as Node)) return;
        if (!isTyping(event.target)) return;
        event.preventDefault();
        event.currentTarget.focus();
      }}
    >
      <header className="pane-head">
        {subjects.length > 1 ? (
          <span className="segments" role="group" aria-label="Annotated object">
            {subjects.map((each) => (
              <button
                key={each.id}
                type="button"
                title={each.keys && `Annotate the ${each.label.toLowerCase()} (${each.keys})`}
                aria-pressed={each.id === subject.id}
                onClick={() => onSubject(each)}
              >
                {each.label}
              </button>
            ))}
          </span>
        ) : (
          <h3 className="clip">{subject.label}</h3>
        )}
        <span className="grow" />
        {queue && canAnnotate && <QueueBar queue={queue} onNext={onNext} />}
        <button
          type="button"
          className="button bare small icon-only"
          aria-label="Close annotations"
          title="Close (Esc)"
          onClick={close}
        >
          <Icon name="close" size={12} />
        </button>
      </header>
      {annotations.failure ? (
        <Failure failure={annotations.failure} onRetry={annotations.refetch} />
      ) : nothing !== undefined ? (
        <div className="pane-body">
          <p className="muted">{nothing}</p>
        </div>
      ) : (
        <div className="pane-body">
          {canAnnotate ? (
            <Scorecard
              of={annotations}
              focusRequest={focusRequest}
              wanted={wanted}
              opensNext={onDone === undefined && queue?.isOn === true}
              onDone={() => {
                if (onDone) onDone();
                else if (queue?.isOn) onNext();
              }}
            />
          ) : (
            isKnown && <p className="muted">Your role can read annotations. Members and administrators add them.</p>
          )}
          <AnnotationList of={annotations} onEdit={(name) => setWanted({ name, count: (wanted?.count ?? 0) + 1 })} />
        </div>
      )}
    </aside>
  );
}

function QueueBar({ queue, onNext }: { readonly queue: QueueState; readonly onNext: () => void }) {
  const { isOn, toggle, position, count } = queue;
  const text = `${formatCount(position)} of ${formatCount(count)}`;
  return (
    <div className="pane-queue">
      <button
        type="button"
        className="button small"
        aria-pressed={isOn}
        title="After each annotation, opens the next row that you have not annotated"
        onClick={toggle}
      >
        Queue
      </button>
      <progress className="grow" max={count} value={position} aria-label="Rows of the queue" />
      <span className="muted">{text}</span>
      <button
        type="button"
        className="button small"
        title="Open the next row that you have not annotated (Q)"
        onClick={onNext}
      >
        Next unannotated <kbd>Q</kbd>
      </button>
    </div>
  );
}
