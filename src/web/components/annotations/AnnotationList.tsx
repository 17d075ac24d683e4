import { useState } from 'react';
import { toFailure } from '../../data/use-query.ts';
import { useTimeFormat } from '../../format/times.ts';
import { ConfirmDialog } from '../Dialog.tsx';
import { Failure } from '../Failure.tsx';
import { Icon } from '../Icon.tsx';
import { tell } from '../toasts.tsx';
import { AnnotationEditor } from './AnnotationEditor.tsx';
import { formatScore } from './format-score.ts';
import { Notes } from './Notes.tsx';
import type { Annotation, Annotations } from './use-annotations.ts';
import './annotations.css';

/** Which annotation is being written: a new one, or one that is there. */
export type Editing = 'new' | Annotation | undefined;

interface AnnotationListProps {
  readonly of: Annotations;
  readonly editing: Editing;
  readonly onEdit: (editing: Editing) => void;
}

/** What is said of a span or a trace, and where more is said. */
export function AnnotationList({ of, editing, onEdit }: AnnotationListProps) {
  const { annotations, configs, target, failure, refetch, isLoading } = of;
  const [asked, setAsked] = useState<Annotation>();
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  const given = new Set(annotations.filter(({ source }) => source === 'APP').map(({ name }) => name));
  const changed = editing === 'new' ? undefined : editing;
  return (
    <div className="annotations" aria-busy={isLoading}>
      {editing === undefined ? (
        <div className="row">
          <button type="button" className="button" onClick={() => onEdit('new')}>
            <Icon name="plus" size={13} /> Annotate <kbd>E</kbd>
          </button>
        </div>
      ) : (
        (configs.length > 0 || !isLoading) && (
          <AnnotationEditor
            key={`${target.id} ${changed?.id ?? 'new'}`}
            changed={changed}
            configs={configs}
            given={given}
            onSave={(judgement) => of.save(judgement, changed).then(() => tell(`${judgement.name} saved.`))}
            onClose={() => onEdit(undefined)}
          />
        )
      )}
      {annotations.length > 0 ? (
        <ul className="annotation-list" aria-label="Annotations">
          {annotations.map((annotation) => (
            <Row
              key={annotation.id}
              annotation={annotation}
              onEdit={() => onEdit(annotation)}
              onRemove={() => setAsked(annotation)}
            />
          ))}
        </ul>
      ) : (
        editing === undefined &&
        !isLoading && (
          <p className="muted">Nobody has judged this {target.kind} yet, neither a person nor an evaluator.</p>
        )
      )}
      {target.kind === 'span' && <Notes of={of} onRemove={setAsked} />}
      <Removal annotation={asked} of={of} onClose={() => setAsked(undefined)} />
    </div>
  );
}

const ANNOTATORS = { HUMAN: 'Person', LLM: 'Model', CODE: 'Code' } as const;

interface RowProps {
  readonly annotation: Annotation;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function Row({ annotation, onEdit, onRemove }: RowProps) {
  const times = useTimeFormat();
  const { name, label, score, explanation, annotatorKind, updatedAt, createdAt } = annotation;
  return (
    <li>
      <div className="annotation-row">
        <span className="annotation-name">{name}</span>
        {label !== null && <span className="annotation-label">{label}</span>}
        {score !== null && <span className="annotation-score">{formatScore(score)}</span>}
        <span className="grow" />
        <span className="row">
          <span className="muted annotation-who" title={`Made ${times.full(createdAt)}`}>
            {ANNOTATORS[annotatorKind]} · {times.short(updatedAt)}
          </span>
          <span className="row annotation-actions">
            <button
              type="button"
              className="button bare small icon-only"
              aria-label={`Change ${name}`}
              onClick={onEdit}
            >
              <Icon name="edit" size={13} />
            </button>
            <button
              type="button"
              className="button bare small icon-only"
              aria-label={`Delete ${name}`}
              onClick={onRemove}
            >
              <Icon name="trash" size={13} />
            </button>
          </span>
        </span>
      </div>
      {explanation !== null && <p className="annotation-text">{explanation}</p>}
    </li>
  );
}

interface RemovalProps {
  readonly annotation: Annotation | undefined;
  readonly of: Annotations;
  readonly onClose: () => void;
}

function Removal({ annotation, of, onClose }: RemovalProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const remove = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await of.remove(annotation!);
      tell(`${annotation!.name} deleted.`);
      onClose();
    } catch (error) {
      setProblem(toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title={`Delete ${annotation?.name ?? ''}?`}
      isOpen={annotation !== undefined}
      onClose={onClose}
      consequence="It goes for everybody who looks at this. This cannot be undone."
      action="Delete"
      isBusy={isBusy}
      problem={problem}
      onConfirm={remove}
    />
  );
}
