import { type SyntheticEvent, useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { useChange } from '../../data/use-change.ts';
import { useTimeFormat } from '../../format/times.ts';
import { Icon } from '../Icon.tsx';
import { Problem } from '../Problem.tsx';
import { isAuthor } from './authorship.ts';
import { addSpanNote } from './generated/annotations.ts';
import type { Annotation, Annotations } from './use-annotations.ts';

/** Notes of users, oldest first. */
export function Notes({ of, onRemove }: { readonly of: Annotations; readonly onRemove: (note: Annotation) => void }) {
  const times = useTimeFormat();
  const { may } = useAccess();
  const canWrite = may(addSpanNote);
  const canDelete = (note: Annotation) => canWrite && (isAuthor(note) || may('strictAdmin'));
  const [text, setText] = useState('');
  const { isBusy, problem, run } = useChange();
  const add = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim() === '' || isBusy) return;
    void run(
      async () => of.addNote?.(text.trim()),
      () => setText(''),
    );
  };
  return (
    <section className="notes">
      <h3>Notes</h3>
      {of.notes.map((note) => (
        <div className="note" key={note.id}>
          <p className="annotation-text" dir="auto">
            {note.explanation}
          </p>
          <div className="row">
            <span className="muted" title={times.full(note.createdAt)}>
              {note.user && `${note.user.username} · `}
              {times.short(note.createdAt)}
            </span>
            <span className="grow" />
            {canDelete(note) && (
              <button
                type="button"
                className="button bare small icon-only annotation-actions"
                aria-label="Delete note"
                onClick={() => onRemove(note)}
              >
                <Icon name="trash" size={13} />
              </button>
            )}
          </div>
        </div>
      ))}
      {canWrite && (
        <form className="note-form" onSubmit={add}>
          <textarea
            dir="auto"
            className="input"
            rows={1}
            aria-label="New note"
            placeholder="Write a note"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) add(event);
            }}
          />
          <button type="submit" className="button" disabled={isBusy || text.trim() === ''}>
            Add note
          </button>
        </form>
      )}
      <Problem text={problem} />
    </section>
  );
}
