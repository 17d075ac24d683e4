import { type FormEvent, useState } from 'react';
import { useAccess } from '../../../../access/use-access.ts';
import { ConfirmDialog } from '../../../../components/Dialog.tsx';
import { Icon } from '../../../../components/Icon.tsx';
import { Problem } from '../../../../components/Problem.tsx';
import { Markdown } from '../../../../components/values/Markdown.tsx';
import { send } from '../../../../data/request.ts';
import { useChange } from '../../../../data/use-change.ts';
import { useTimeFormat } from '../../../../format/times.ts';
import type { ExperimentDetails } from '../experiment-row.ts';
import { addExperimentNote, deleteExperimentNote, patchExperimentNote } from '../generated/experiments.ts';

type Note = ExperimentDetails['notes'][number];

interface ExperimentNotesProps {
  readonly experimentId: string;
  /** Oldest first. */
  readonly notes: readonly Note[];
}

/** Notes of people in Markdown. */
export function ExperimentNotes({ experimentId, notes }: ExperimentNotesProps) {
  const { may } = useAccess();
  return (
    <section className="card experiment-section experiment-notes" aria-label="Notes">
      <h3>Notes</h3>
      {notes.length === 0 && (
        <p className="muted">No notes yet. Write down what this experiment tried and what you learned.</p>
      )}
      {notes.map((note) => (
        <NoteItem key={note.id} note={note} />
      ))}
      {may(addExperimentNote) && (
        <NoteForm
          label="New note"
          action="Add note"
          initial=""
          onSave={(text) => send(addExperimentNote, { id: experimentId, text })}
        />
      )}
    </section>
  );
}

function NoteItem({ note: { id, text, user, createdAt, updatedAt } }: { readonly note: Note }) {
  const [state, setState] = useState<'edit' | 'delete'>();
  const times = useTimeFormat();
  const { may, viewer, hasSignIn } = useAccess();
  const { isBusy, problem, run } = useChange();
  const isMine = !hasSignIn || (user !== null && user.id === viewer?.id);
  const close = () => setState(undefined);
  if (state === 'edit') {
    return (
      <NoteForm
        label="Text of the note"
        action="Save note"
        initial={text}
        onSave={(changed) => send(patchExperimentNote, { id, text: changed })}
        onClose={close}
      />
    );
  }
  return (
    <div className="experiment-note">
      <div className="row">
        <span className="muted grow" title={times.full(createdAt)}>
          {user && `${user.username} · `}
          {times.short(createdAt)}
          {updatedAt !== createdAt && ' · edited'}
        </span>
        {may(patchExperimentNote) && isMine && (
          <button
            type="button"
            className="button bare small icon-only"
            aria-label="Edit note"
            onClick={() => setState('edit')}
          >
            <Icon name="edit" size={13} />
          </button>
        )}
        {may(deleteExperimentNote) && (isMine || may('strictAdmin')) && (
          <button
            type="button"
            className="button bare small icon-only"
            aria-label="Delete note"
            onClick={() => setState('delete')}
          >
            <Icon name="trash" size={13} />
          </button>
        )}
      </div>
      <Markdown text={text} />
      {state === 'delete' && (
        <ConfirmDialog
          title="Delete the note?"
          isOpen
          onClose={close}
          consequence="This deletes the note for all users. You cannot undo it."
          action="Delete note"
          isBusy={isBusy}
          problem={problem}
          onConfirm={() => void run(() => send(deleteExperimentNote, { id }), close)}
        />
      )}
    </div>
  );
}

interface NoteFormProps {
  readonly label: string;
  readonly action: string;
  readonly initial: string;
  readonly onSave: (text: string) => Promise<unknown>;
  readonly onClose?: () => void;
}

function NoteForm({ label, action, initial, onSave, onClose }: NoteFormProps) {
  const [text, setText] = useState(initial);
  const { isBusy, problem, run } = useChange();
  const save = () =>
    void run(
      () => onSave(text),
      () => {
        setText('');
        onClose?.();
      },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  return (
    <form className="experiment-note-form" onSubmit={submit}>
      <textarea
        className="input"
        dir="auto"
        rows={3}
        aria-label={label}
        placeholder="Markdown"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            if (text.trim() !== '' && !isBusy) save();
          }
        }}
      />
      <div className="row">
        <button type="submit" className="button" disabled={isBusy || text.trim() === ''}>
          {action}
        </button>
        {onClose && (
          <button type="button" className="button bare" onClick={onClose}>
            Cancel
          </button>
        )}
      </div>
      <Problem text={problem} />
    </form>
  );
}
