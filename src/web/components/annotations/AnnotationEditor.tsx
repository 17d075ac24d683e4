import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { toFailure } from '../../data/use-query.ts';
import { formatScore } from './format-score.ts';
import { boundsText, type Draft, toJudgement } from './judgement.ts';
import type { Annotation, AnnotationConfig, Judgement } from './use-annotations.ts';

interface AnnotationEditorProps {
  /** Nothing when it is a new one. */
  readonly changed: Annotation | undefined;
  readonly configs: readonly AnnotationConfig[];
  /** Names that a person has given already. */
  readonly given: ReadonlySet<string>;
  readonly onSave: (judgement: Judgement) => Promise<void>;
  readonly onClose: () => void;
}

/** Where a person judges: by the project's configs with number keys, or in words of their own. */
export function AnnotationEditor({ changed, configs, given, onSave, onClose }: AnnotationEditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const fieldId = useId();
  const [draft, setDraft] = useState<Draft>(() => firstDraft(changed, configs, given));
  const [isOwn, setOwn] = useState(changed === undefined && configs.length === 0);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const config = isOwn ? undefined : configs.find(({ name }) => name === draft.name);
  const labels = config?.__typename === 'CategoricalAnnotationConfig' ? config.values : undefined;
  const change = (part: Partial<Draft>) => {
    setProblem(undefined);
    setDraft((before) => ({ ...before, ...part }));
  };
  const choose = (value: { readonly label: string; readonly score: number | null }) =>
    change({ label: value.label, score: value.score === null ? '' : String(value.score) });

  // The keyboard begins at what is judged by, also after another config was chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: on another config only
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, [config?.id, isOwn]);

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    const judgement = toJudgement(draft, config);
    if (typeof judgement === 'string') return setProblem(judgement);
    setBusy(true);
    try {
      await onSave(judgement);
      onClose();
    } catch (error) {
      setProblem(toFailure(error).message);
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      return onClose();
    }
    const isText = /^(INPUT|TEXTAREA)$/.test((event.target as HTMLElement).tagName);
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return void submit();
    }
    if (isText || event.ctrlKey || event.metaKey || event.altKey) return;
    const isLabel = (event.target as HTMLElement).dataset.label !== undefined;
    if (event.key === 'Enter' && isLabel && draft.label !== '') {
      event.preventDefault();
      return void submit();
    }
    const value = labels?.[Number(event.key) - 1];
    if (!value) return;
    event.preventDefault();
    choose(value);
    form.current?.querySelectorAll<HTMLElement>('[data-label]')[Number(event.key) - 1]?.focus();
  };

  return (
    <form
      ref={form}
      className="annotation-editor"
      aria-label={changed ? `Change ${changed.name}` : 'New annotation'}
      onSubmit={submit}
      onKeyDown={onKeyDown}
    >
      {changed ? (
        <h3 className="clip">{changed.name}</h3>
      ) : (
        configs.length > 0 && (
          <div className="segments annotation-names" role="group" aria-label="What to judge">
            {configs.map(({ id, name }) => (
              <button
                key={id}
                type="button"
                aria-pressed={config?.id === id}
                onClick={() => {
                  setOwn(false);
                  change({ name, label: '', score: '' });
                }}
              >
                <span className="clip">{name}</span>
              </button>
            ))}
            <button
              type="button"
              aria-pressed={isOwn}
              onClick={() => {
                setOwn(true);
                change({ name: '', label: '', score: '' });
              }}
            >
              Another
            </button>
          </div>
        )
      )}
      {config?.description && <p className="muted">{config.description}</p>}
      {isOwn && (
        <label className="field">
          <span>Name</span>
          <input
            className="input"
            data-autofocus
            value={draft.name}
            maxLength={200}
            placeholder="correctness"
            onChange={(event) => change({ name: event.target.value })}
          />
        </label>
      )}
      {labels ? (
        <div className="annotation-labels" role="group" aria-label="Label">
          {labels.map((value, index) => (
            <button
              key={value.label}
              type="button"
              className="button"
              data-label
              {...(index === 0 ? { 'data-autofocus': true } : {})}
              aria-pressed={draft.label === value.label}
              onClick={() => choose(value)}
            >
              {index < 9 && <kbd>{index + 1}</kbd>}
              <span className="clip">{value.label}</span>
              {value.score !== null && <span className="muted">{formatScore(value.score)}</span>}
            </button>
          ))}
        </div>
      ) : (
        <div className="annotation-values">
          {config?.__typename !== 'ContinuousAnnotationConfig' && (
            <label className="field">
              <span>Label</span>
              <input
                className="input"
                {...(isOwn ? {} : { 'data-autofocus': true })}
                value={draft.label}
                onChange={(event) => change({ label: event.target.value })}
              />
            </label>
          )}
          <label className="field">
            <span>
              Score{' '}
              {config && config.__typename !== 'CategoricalAnnotationConfig' && (
                <span className="muted annotation-bounds">{boundsText(config.lowerBound, config.upperBound)}</span>
              )}
            </span>
            <input
              className="input"
              {...(config?.__typename === 'ContinuousAnnotationConfig' ? { 'data-autofocus': true } : {})}
              inputMode="decimal"
              value={draft.score}
              onChange={(event) => change({ score: event.target.value })}
            />
          </label>
        </div>
      )}
      <label className="field" htmlFor={fieldId}>
        <span>Explanation</span>
        <textarea
          id={fieldId}
          className="input"
          rows={2}
          value={draft.explanation}
          onChange={(event) => change({ explanation: event.target.value })}
        />
      </label>
      {problem && (
        <p className="error-text" role="alert">
          {problem}
        </p>
      )}
      <div className="row">
        <button type="submit" className="button primary" disabled={isBusy}>
          Save
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        {labels && (
          <span className="muted annotation-hint">
            <kbd>1</kbd>–<kbd>{Math.min(9, labels.length)}</kbd> choose, <kbd>Enter</kbd> saves
          </span>
        )}
      </div>
    </form>
  );
}

/** Of the first config that nobody has judged by yet, or of what is changed. */
function firstDraft(
  changed: Annotation | undefined,
  configs: readonly AnnotationConfig[],
  given: ReadonlySet<string>,
): Draft {
  if (!changed) {
    const config = configs.find(({ name }) => !given.has(name)) ?? configs[0];
    return { name: config?.name ?? '', label: '', score: '', explanation: '' };
  }
  const { name, label, score, explanation } = changed;
  return { name, label: label ?? '', score: score === null ? '' : String(score), explanation: explanation ?? '' };
}
