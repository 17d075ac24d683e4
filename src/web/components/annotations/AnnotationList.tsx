import { useEffect, useRef, useState } from 'react';
import { useChange } from '../../data/use-change.ts';
import { useTimeFormat } from '../../format/times.ts';
import { ConfirmDialog } from '../Dialog.tsx';
import { Failure } from '../Failure.tsx';
import { Icon } from '../Icon.tsx';
import { tell } from '../toasts.tsx';
import { AddConfig } from './AddConfig.tsx';
import { isMine } from './authorship.ts';
import { ConfigRow } from './ConfigRow.tsx';
import { formatScore } from './format-score.ts';
import { Notes } from './Notes.tsx';
import type { Annotation, Annotations } from './use-annotations.ts';
import './annotations.css';

interface AnnotationListProps {
  readonly of: Annotations;
  /** Counts up each time that somebody asks to judge: the keyboard then begins at what is not judged yet. */
  readonly asked: number;
  /** All configs have an answer. */
  readonly onDone?: (() => void) | undefined;
}

/** Where a person judges, and what was said by others. */
export function AnnotationList({ of, asked, onDone }: AnnotationListProps) {
  const { annotations, configs, target, failure, refetch, isLoading } = of;
  const form = useRef<HTMLDivElement>(null);
  const [doomed, setDoomed] = useState<Annotation>();
  const mine = new Map(annotations.filter(isMine).map((each) => [each.name, each] as const));
  const firstOpen = configs.findIndex(({ name }) => !mine.has(name));
  const isReady = of.projectId !== undefined;
  const focus = (index: number) =>
    form.current
      ?.querySelectorAll<HTMLElement>('.config-judged')
      [index]?.querySelector<HTMLElement>('[data-first]')
      ?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that it is asked for
  useEffect(() => {
    if (asked === 0 || !isReady) return;
    // Where there is nothing to judge by, what adds something: keys go on from there, and Escape closes the pane.
    if (configs.length === 0) form.current?.querySelector('button')?.focus();
    else focus(Math.max(0, firstOpen));
  }, [asked, isReady, target.id]);
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  const goOn = (done: number) => {
    const next = configs.findIndex(({ name }, index) => index > done && !mine.has(name));
    if (next >= 0) focus(next);
    else onDone?.();
  };
  const others = annotations.filter((each) => !isMine(each) || !configs.some(({ name }) => name === each.name));
  return (
    <div className="annotations" aria-busy={isLoading}>
      <div ref={form} className="scorecard">
        {configs.map((config, index) => (
          <ConfigRow
            key={`${target.id} ${target.position ?? ''} ${config.id}`}
            config={config}
            given={mine.get(config.name)}
            of={of}
            onDone={() => goOn(index)}
          />
        ))}
        {of.projectId && <AddConfig projectId={of.projectId} configs={configs} onAdded={refetch} />}
      </div>
      {annotations.length > 0 && (
        <ul className="annotation-list" aria-label="Annotations">
          {annotations.map((annotation) => (
            <Row
              key={annotation.id}
              annotation={annotation}
              onEdit={
                isMine(annotation) && !others.includes(annotation)
                  ? () => focus(configs.findIndex(({ name }) => name === annotation.name))
                  : undefined
              }
              onRemove={isMine(annotation) ? () => setDoomed(annotation) : undefined}
            />
          ))}
        </ul>
      )}
      {annotations.length === 0 && !isLoading && (
        <p className="muted">Nobody has judged this {target.kind} yet, neither a person nor an evaluator.</p>
      )}
      {of.addNote && <Notes of={of} onRemove={setDoomed} />}
      {doomed && <Removal annotation={doomed} of={of} onClose={() => setDoomed(undefined)} />}
    </div>
  );
}

const ANNOTATORS = { HUMAN: 'Person', LLM: 'Model', CODE: 'Code' } as const;
const SOURCES = { APP: 'here', API: 'over the API' } as const;

interface RowProps {
  readonly annotation: Annotation;
  /** Absent on what others said. */
  readonly onEdit: (() => void) | undefined;
  readonly onRemove: (() => void) | undefined;
}

function Row({ annotation, onEdit, onRemove }: RowProps) {
  const times = useTimeFormat();
  const { name, label, score, explanation, annotatorKind, source, identifier, updatedAt, createdAt } = annotation;
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
            title={`Made ${times.full(createdAt)}${identifier === '' ? '' : `, identifier ${identifier}`}`}
          >
            {isMine(annotation) ? 'You' : ANNOTATORS[annotatorKind]}, {SOURCES[source]} · {times.short(updatedAt)}
          </span>
          {(onEdit || onRemove) && (
            <span className="row annotation-actions">
              {onEdit && (
                <button
                  type="button"
                  className="button bare small icon-only"
                  aria-label={`Change ${name}`}
                  onClick={onEdit}
                >
                  <Icon name="edit" size={13} />
                </button>
              )}
              {onRemove && (
                <button
                  type="button"
                  className="button bare small icon-only"
                  aria-label={`Delete ${name}`}
                  onClick={onRemove}
                >
                  <Icon name="trash" size={13} />
                </button>
              )}
            </span>
          )}
        </span>
      </div>
      {explanation !== null && <p className="annotation-text">{explanation}</p>}
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
      consequence="It goes for everybody who looks at this. This cannot be undone."
      action="Delete"
      isBusy={isBusy}
      problem={problem}
      onConfirm={() =>
        void run(
          () => of.remove(annotation),
          () => {
            tell(`${name} deleted.`);
            onClose();
          },
        )
      }
    />
  );
}
