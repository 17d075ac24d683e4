import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { useChange } from '../../data/use-change.ts';
import { useTimeFormat } from '../../format/times.ts';
import { ConfirmDialog } from '../Dialog.tsx';
import { Icon } from '../Icon.tsx';
import { toast } from '../toasts.tsx';
import { isAuthor, isMine } from './authorship.ts';
import { formatScore } from './format-score.ts';
import { addSpanAnnotation } from './generated/annotations.ts';
import { Notes } from './Notes.tsx';
import type { Annotation, Annotations } from './use-annotations.ts';

interface AnnotationListProps {
  readonly of: Annotations;
  /** Opens the config with this name to edit its annotation. */
  readonly onEdit: (name: string) => void;
}

/** Annotations by all authors, and notes. */
export function AnnotationList({ of, onEdit }: AnnotationListProps) {
  const { annotations, configs, target, isLoading } = of;
  const [toDelete, setToDelete] = useState<Annotation>();
  const { may, hasSignIn } = useAccess();
  const canAnnotate = may(addSpanAnnotation);
  const isDeletable = (each: Annotation) =>
    canAnnotate && (isMine(each) || (hasSignIn && isAuthor(each)) || may('strictAdmin'));
  const isEditable = (each: Annotation) =>
    canAnnotate && isMine(each) && configs.some(({ name }) => name === each.name);
  return (
    <div className="annotations" aria-busy={isLoading}>
      {annotations.length > 0 && (
        <ul className="annotation-list" aria-label="Annotations">
          {annotations.map((annotation) => (
            <Row
              key={annotation.id}
              annotation={annotation}
              onEdit={isEditable(annotation) ? () => onEdit(annotation.name) : undefined}
              onRemove={isDeletable(annotation) ? () => setToDelete(annotation) : undefined}
            />
          ))}
        </ul>
      )}
      {annotations.length === 0 && target && of.projectId !== undefined && (
        <p className="muted">
          This {target.kind} has no annotations yet. {canAnnotate && 'Add one above, or run an evaluator.'}
        </p>
      )}
      {of.addNote && <Notes key={target?.id} of={of} onRemove={setToDelete} />}
      {toDelete && <Removal annotation={toDelete} of={of} onClose={() => setToDelete(undefined)} />}
    </div>
  );
}

const ANNOTATORS = { HUMAN: 'Person', LLM: 'Model', CODE: 'Code' } as const;
/** A person by name, and a model or program with the name of the user who ran it. */
function authorText({ user, annotatorKind, ...annotation }: Annotation): string {
  if (isMine({ user, ...annotation })) return 'You';
  if (!user) return ANNOTATORS[annotatorKind];
  return annotatorKind === 'HUMAN' ? user.username : `${ANNOTATORS[annotatorKind]} of ${user.username}`;
}

/** Names the author of an annotation of another user. */
const ownerText = (annotation: Annotation): string =>
  annotation.user && !isAuthor(annotation) ? ` of ${annotation.user.username}` : '';

const SOURCES = { APP: 'in the app', API: 'through the API' } as const;

interface RowProps {
  readonly annotation: Annotation;
  /** Absent on annotations by others. */
  readonly onEdit: (() => void) | undefined;
  /** Absent on annotations by others, except for administrators. */
  readonly onRemove: (() => void) | undefined;
}

function Row({ annotation, onEdit, onRemove }: RowProps) {
  const times = useTimeFormat();
  const { name, label, score, explanation, source, identifier, updatedAt, createdAt } = annotation;
  return (
    <li>
      <div className="annotation-row">
        <span className="annotation-name">{name}</span>
        {label !== null && <span className="annotation-label">{label}</span>}
        {score !== null && <span className="annotation-score">{formatScore(score)}</span>}
        <span className="grow" />
        <span className="row">
          <span
            className="muted annotation-who"
            title={`Created ${times.full(createdAt)}${identifier === '' ? '' : `, identifier ${identifier}`}`}
          >
            {authorText(annotation)}, {SOURCES[source]} · {times.short(updatedAt)}
          </span>
          {(onEdit || onRemove) && (
            <span className="row annotation-actions">
              {onEdit && (
                <button
                  type="button"
                  className="button bare small icon-only"
                  aria-label={`Edit ${name}`}
                  onClick={onEdit}
                >
                  <Icon name="edit" size={13} />
                </button>
              )}
              {onRemove && (
                <button
                  type="button"
                  className="button bare small icon-only"
                  aria-label={`Delete ${name}${ownerText(annotation)}`}
                  onClick={onRemove}
                >
                  <Icon name="trash" size={13} />
                </button>
              )}
            </span>
          )}
        </span>
      </div>
      {explanation !== null && (
        <p className="annotation-text" dir="auto">
          {explanation}
        </p>
      )}
    </li>
  );
}

interface RemovalProps {
  readonly annotation: Annotation;
  readonly of: Annotations;
  readonly onClose: () => void;
}

function Removal({ annotation, of, onClose }: RemovalProps) {
  const { isBusy, problem, run } = useChange();
  const { name } = annotation;
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      isOpen
      onClose={onClose}
      consequence={`This deletes the annotation${ownerText(annotation)} for all users. You cannot undo it.`}
      action="Delete annotation"
      isBusy={isBusy}
      problem={problem}
      onConfirm={() =>
        void run(
          () => of.remove(annotation.id),
          () => {
            toast(`${name} deleted.`);
            onClose();
          },
        )
      }
    />
  );
}
