import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { toFailure } from '../../data/use-query.ts';
import { tellFailure } from '../toasts.tsx';
import { formatScore } from './format-score.ts';
import { boundsText, type Draft, isEmpty, toDraft, toJudgement } from './judgement.ts';
import type { Annotation, AnnotationConfig, Annotations } from './use-annotations.ts';

interface ConfigRowProps {
  readonly config: AnnotationConfig;
  /** What this person has said by it. */
  readonly given: Annotation | undefined;
  readonly of: Annotations;
  /** Judged by a key, and so done with. */
  readonly onDone: () => void;
}

/** Where the keyboard begins, also when a dialog opens. */
const FIRST = { 'data-first': true, 'data-autofocus': true } as const;
/** After the last change. */
const SAVE_MS = 500;

type State = { readonly is: 'rest' | 'waiting' | 'saved' } | { readonly is: 'wrong'; readonly problem: string };

/** One way to judge. Every change saves itself; a label that is chosen again is taken back. */
export function ConfigRow({ config, given, of, onDone }: ConfigRowProps) {
  const [draft, setDraft] = useState<Draft>(() => toDraft(given));
  const [state, setState] = useState<State>({ is: 'rest' });
  const [isExplained, setExplained] = useState(given?.explanation != null);
  const pending = useRef<Draft>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ given, of });
  latest.current = { given, of };

  const isGone = useRef(false);
  const fail = (problem: string): false => {
    setState({ is: 'wrong', problem });
    // Whoever has gone on learns of it all the same.
    if (isGone.current) tellFailure(`${config.name} was not saved: ${problem}`);
    return false;
  };
  const flush = async (): Promise<boolean> => {
    clearTimeout(timer.current);
    const next = pending.current;
    pending.current = undefined;
    if (!next) return true;
    const { given: before, of: annotations } = latest.current;
    try {
      if (isEmpty(next)) {
        if (before) await annotations.remove(before);
      } else {
        const judgement = toJudgement(next, config);
        if (typeof judgement === 'string') return fail(judgement);
        await annotations.save(judgement, before);
      }
      setState({ is: 'saved' });
      return true;
    } catch (error) {
      return fail(toFailure(error).message);
    }
  };
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    setState({ is: 'waiting' });
    pending.current = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void flush(), SAVE_MS);
  };
  // Whoever goes on before the time is up has still said it.
  const flushLatest = useRef(flush);
  flushLatest.current = flush;
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      void flushLatest.current();
    };
  }, []);

  // What was changed in the list below, or by somebody else.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer that says the same must not undo what is typed
  useEffect(() => {
    if (!pending.current) setDraft(toDraft(given));
  }, [given?.id, given?.updatedAt]);

  const labels = config.__typename === 'CategoricalAnnotationConfig' ? config.values : undefined;
  const choose = (value: { readonly label: string; readonly score: number | null }) =>
    change(
      draft.label === value.label
        ? { label: '', score: '', explanation: '' }
        : { label: value.label, score: value.score === null ? '' : String(value.score) },
    );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isText = /^(INPUT|TEXTAREA)$/.test((event.target as HTMLElement).tagName);
    const value = isText ? undefined : labels?.[Number(event.key) - 1];
    const isEnter = event.key === 'Enter' && (event.target as HTMLElement).tagName === 'INPUT';
    if (!value && !isEnter) return;
    event.preventDefault();
    if (value) choose(value);
    void flush().then((isSaved) => isSaved && onDone());
  };

  return (
    <div className="config-judged" role="group" aria-label={config.name} onKeyDown={onKeyDown}>
      <header>
        <strong className="clip" title={config.description ?? undefined}>
          {config.name}
        </strong>
        {labels === undefined && 'lowerBound' in config && (
          <span className="muted">{boundsText(config.lowerBound, config.upperBound)}</span>
        )}
        <span className="grow" />
        <span className="muted config-state" role="status">
          {state.is === 'waiting' ? '…' : state.is === 'saved' ? 'Saved' : ''}
        </span>
        {!isExplained && config.__typename !== 'FreeformAnnotationConfig' && (
          <button type="button" className="button bare small" onClick={() => setExplained(true)}>
            Explain
          </button>
        )}
      </header>
      {labels ? (
        <div className="annotation-labels">
          {labels.map((value, index) => (
            <button
              key={value.label}
              type="button"
              className="button small"
              {...(index === 0 ? FIRST : {})}
              aria-pressed={draft.label === value.label}
              onClick={() => choose(value)}
            >
              {index < 9 && <kbd>{index + 1}</kbd>}
              <span className="clip">{value.label}</span>
              {value.score !== null && <span className="muted">{formatScore(value.score)}</span>}
            </button>
          ))}
        </div>
      ) : config.__typename === 'ContinuousAnnotationConfig' ? (
        <Score config={config} value={draft.score} onChange={(score) => change({ score })} />
      ) : null}
      {(isExplained || config.__typename === 'FreeformAnnotationConfig') && (
        <textarea
          className="input"
          rows={2}
          {...(config.__typename === 'FreeformAnnotationConfig' ? FIRST : {})}
          aria-label={config.__typename === 'FreeformAnnotationConfig' ? config.name : `Explanation of ${config.name}`}
          placeholder={config.__typename === 'FreeformAnnotationConfig' ? 'In your words' : 'Why?'}
          value={draft.explanation}
          onChange={(event) => change({ explanation: event.target.value })}
        />
      )}
      {state.is === 'wrong' && (
        <p className="error-text" role="alert">
          Not saved: {state.problem}
        </p>
      )}
    </div>
  );
}

interface ScoreProps {
  readonly config: Extract<AnnotationConfig, { readonly __typename: 'ContinuousAnnotationConfig' }>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const STEP_COUNT = 100;

function Score({ config: { name, lowerBound: low, upperBound: high }, value, onChange }: ScoreProps) {
  return (
    <div className="row">
      <input
        className="input score-input"
        {...FIRST}
        inputMode="decimal"
        aria-label={`Score of ${name}`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {low !== null && high !== null && high > low && (
        <input
          className="grow"
          type="range"
          data-unset={value === ''}
          min={low}
          max={high}
          step={(high - low) / STEP_COUNT}
          aria-label={`Score of ${name} on a scale`}
          value={value === '' ? (low + high) / 2 : value}
          onChange={(event) => onChange(formatScore(Number(event.target.value)))}
        />
      )}
    </div>
  );
}
