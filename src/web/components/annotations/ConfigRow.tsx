import { type KeyboardEvent, useRef, useState } from 'react';
import { type Hotkeys, useHotkeys } from '../../shell/use-hotkeys.ts';
import { boundsText } from './annotation-draft.ts';
import { formatScore } from './format-score.ts';
import type { Annotation, AnnotationConfig, Annotations } from './use-annotations.ts';
import { useDraft } from './use-draft.ts';

interface ConfigRowProps {
  readonly config: AnnotationConfig;
  /** The user's annotation by this config. */
  readonly given: Annotation | undefined;
  readonly of: Annotations;
  /** Whether the row receives the keys of the pane. */
  readonly isActive: boolean;
  readonly onActivate: () => void;
  /** Called after an annotation by keyboard. The promise resolves to whether it was saved. */
  readonly onDone: (saved: Promise<boolean>) => void;
  /** Called after the user undid the annotation by keyboard. */
  readonly onUndone: () => void;
}

/** Marks the element that receives the focus first. */
const FIRST = { 'data-first': true } as const;
/** Number of labels with a digit key, from 1 to 9. */
const KEY_COUNT = 9;
/** Keys that start a score. */
const SCORE_KEYS = [...'0123456789.-'];
const NO_KEYS: Hotkeys = {};

/** Input for one annotation config. Each change is saved. Choosing a selected label again removes the annotation. */
export function ConfigRow({ config, given, of, isActive, onActivate, onDone, onUndone }: ConfigRowProps) {
  const { draft, state, change, flush } = useDraft(config, given, of);
  const [isExplained, setExplained] = useState(given?.explanation != null);
  const labels = config.__typename === 'CategoricalAnnotationConfig' ? config.values : undefined;
  const choose = (value: { readonly label: string; readonly score: number | null }): boolean => {
    const isTakenBack = draft.label === value.label;
    change(
      isTakenBack
        ? { label: '', score: '', explanation: '' }
        : { label: value.label, score: value.score === null ? '' : String(value.score) },
    );
    return !isTakenBack;
  };
  const box = useRef<HTMLDivElement>(null);
  const hotkeys: Record<string, (event: globalThis.KeyboardEvent) => void> = {};
  for (const [index, value] of (labels ?? []).slice(0, KEY_COUNT).entries()) {
    hotkeys[index + 1] = ({ repeat }) => {
      if (repeat) return;
      const isChosen = choose(value);
      const saved = flush();
      if (isChosen) onDone(saved);
      else onUndone();
    };
  }
  if (config.__typename === 'ContinuousAnnotationConfig') {
    for (const key of SCORE_KEYS) {
      hotkeys[key] = () => {
        box.current?.querySelector<HTMLElement>('[data-first]')?.focus();
        change({ score: key });
      };
    }
  }
  useHotkeys(isActive ? hotkeys : NO_KEYS, { isFirst: true });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.altKey) return;
    const { tagName } = event.target as HTMLElement;
    const isMod = event.ctrlKey || event.metaKey;
    if (!(isMod ? /^(INPUT|TEXTAREA)$/ : /^INPUT$/).test(tagName)) return;
    event.preventDefault();
    onDone(flush());
  };

  return (
    <div
      ref={box}
      className="config-annotated"
      role="group"
      aria-label={config.name}
      data-active={isActive}
      onFocus={onActivate}
      onKeyDown={onKeyDown}
    >
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
            Add explanation
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
              onClick={() => void choose(value)}
            >
              {isActive && index < KEY_COUNT && <kbd>{index + 1}</kbd>}
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
          dir="auto"
          className="input"
          rows={2}
          {...(config.__typename === 'FreeformAnnotationConfig' ? FIRST : {})}
          aria-label={config.__typename === 'FreeformAnnotationConfig' ? config.name : `Explanation of ${config.name}`}
          placeholder={
            config.__typename === 'FreeformAnnotationConfig'
              ? 'Enter text, then press Ctrl+Enter'
              : 'Enter a reason, then press Ctrl+Enter'
          }
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
