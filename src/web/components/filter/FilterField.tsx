import * as ariakit from '@ariakit/react';
import { useEffect, useRef, useState } from 'react';
import { useOnRecovery } from '../../data/connection.ts';
import { send, toFailure } from '../../data/request.ts';
import { useStoredState } from '../../preferences/stored-state.ts';
import { useSharedFailure } from '../failure-group.ts';
import { Icon } from '../Icon.tsx';
import { validateRunFilter, validateSessionFilter, validateSpanFilter } from './generated/filter.ts';
import { complete, type SUGGESTIONS, type Suggestion, suggest } from './suggestions.ts';
import { useVocabulary } from './use-vocabulary.ts';
import './filter.css';

interface FilterFieldProps {
  /** Project, or the dataset of a comparison. */
  readonly projectId: string;
  /** Experiments of a comparison, for a filter of runs. */
  readonly experimentIds?: readonly string[];
  readonly kind: keyof typeof SUGGESTIONS;
  /** Applied filter. */
  readonly value: string;
  readonly onApply: (condition: string, options: { readonly replaces: boolean }) => void;
}

/** Delay after the last key before validation. */
const PAUSE_MS = 150;
/** A filter that is applied for this time is added to the recent filters. */
const KEPT_MS = 3_000;
const RECENT_COUNT_MAX = 5;
const NONE: readonly string[] = [];
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** A step of the browser history. Continuous typing is one step, even if the filter is applied while the user types. */
interface Step {
  readonly isTyped: boolean;
  isMade: boolean;
}

/** Filter as text, with completion. An invalid filter shows the message of the server and is not applied. */
export function FilterField({ projectId, experimentIds = NONE, kind, value, onApply }: FilterFieldProps) {
  const [text, setText] = useState(value);
  const [caret, setCaret] = useState(value.length);
  const [isOpen, setOpen] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [recent, setRecent] = useStoredState<readonly string[]>(`filters.${projectId}.${kind}`, NONE, isTexts);
  const field = useRef<HTMLInputElement>(null);
  const applied = useRef(value);
  const step = useRef<Step>({ isTyped: false, isMade: false });
  const beginStep = (isTyped: boolean) => {
    if (!isTyped || !step.current.isTyped) step.current = { isTyped, isMade: false };
  };

  // The user went back or followed a link.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    step.current = { isTyped: false, isMade: false };
    setText(value);
  }, [value]);

  const [attempt, setAttempt] = useState(0);
  useOnRecovery(() => setAttempt((count) => count + 1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: validates a new text, or the same text after an outage
  useEffect(() => {
    if (text.trim() === applied.current) return setProblem(undefined);
    const controller = new AbortController();
    const its = step.current;
    const timer = setTimeout(async () => {
      try {
        const found =
          text.trim() === ''
            ? undefined
            : await validate({ projectId, experimentIds }, kind, text.trim(), controller.signal);
        setProblem(found);
        if (found !== undefined) return;
        applied.current = text.trim();
        onApply(text.trim(), { replaces: its.isMade });
        its.isMade = true;
      } catch (error) {
        if (!controller.signal.aborted) setProblem(toFailure(error).message);
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, attempt]);

  useEffect(() => {
    if (value === '') return;
    const timer = setTimeout(
      () => setRecent([value, ...recent.filter((each) => each !== value)].slice(0, RECENT_COUNT_MAX)),
      KEPT_MS,
    );
    return () => clearTimeout(timer);
  }, [value, recent, setRecent]);

  const choose = (suggestion: Suggestion) => {
    beginStep(!suggestion.isWhole);
    const next = complete(text, caret, suggestion);
    setText(next);
    setCaret(next.length);
    field.current?.focus();
  };
  // A filter from the address may have failed in the table, which then shows the longer message.
  const { isFirst } = useSharedFailure(problem, false, undefined);
  const vocabulary = useVocabulary(projectId, kind, hasFocus);
  const suggestions = suggest(vocabulary, text, caret);
  const shownRecent = text.trim() === '' ? recent : [];
  const hasSuggestions = suggestions.length + shownRecent.length > 0;
  // Suggestions cover the message. Text under the caret is usually incomplete.
  const isTold = problem !== undefined && isFirst && !(isOpen && hasSuggestions);
  return (
    <div className="filter">
      <ariakit.ComboboxProvider
        value={text}
        setValue={setText}
        // Without suggestions, the list stays closed.
        open={isOpen && hasSuggestions}
        setOpen={setOpen}
        resetValueOnHide={false}
        focusLoop
      >
        <div className="filter-box" data-wrong={problem !== undefined}>
          <Icon name="search" size={14} />
          <ariakit.Combobox
            ref={field}
            className="filter-input mono"
            aria-label="Filter"
            aria-invalid={problem !== undefined}
            aria-describedby={isTold ? 'filter-problem' : undefined}
            placeholder={PLACEHOLDERS[kind]}
            spellCheck={false}
            autoComplete="none"
            showOnClick
            showOnChange
            // Also while the vocabulary loads.
            onChange={({ currentTarget: { value: typed, selectionStart } }) => {
              beginStep(true);
              setCaret(selectionStart ?? typed.length);
              setOpen(true);
            }}
            onFocus={() => setFocus(true)}
            onBlur={() => beginStep(false)}
            onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
          />
          {text !== '' && (
            <button
              type="button"
              className="button bare small icon-only"
              aria-label="Clear filter"
              onClick={() => {
                beginStep(false);
                setText('');
                // Suggestions for an empty text would cover the table.
                setOpen(false);
              }}
            >
              <Icon name="close" size={12} />
            </button>
          )}
        </div>
        {hasSuggestions && (
          <ariakit.ComboboxPopover
            className="popover filter-popover"
            gutter={4}
            sameWidth
            unmountOnHide
            portal
            aria-label="Suggestions"
          >
            {shownRecent.map((each) => (
              <Item
                key={`recent ${each}`}
                suggestion={{ text: each, meaning: 'recent', isWhole: true }}
                onChoose={choose}
              />
            ))}
            {suggestions.map((suggestion) => (
              <Item key={suggestion.text} suggestion={suggestion} onChoose={choose} />
            ))}
          </ariakit.ComboboxPopover>
        )}
      </ariakit.ComboboxProvider>
      {isTold && (
        <p className="filter-problem error-text" id="filter-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

interface ItemProps {
  readonly suggestion: Suggestion;
  readonly onChoose: (suggestion: Suggestion) => void;
}

function Item({ suggestion, onChoose }: ItemProps) {
  return (
    <ariakit.ComboboxItem
      className="menu-item"
      value={suggestion.text}
      setValueOnClick={false}
      hideOnClick={suggestion.isWhole ?? false}
      focusOnHover
      onClick={() => onChoose(suggestion)}
    >
      <code className="clip">{suggestion.text}</code>
      <span className="grow" />
      <span className="muted clip">{suggestion.meaning}</span>
    </ariakit.ComboboxItem>
  );
}

const PLACEHOLDERS: Readonly<Record<keyof typeof SUGGESTIONS, string>> = {
  span: 'Filter: error_in_trace',
  session: "Filter: 'refund' in any_input",
  run: 'Filter: latency_ms > 2000',
};

/** Returns the reason why a filter is invalid, or undefined. */
async function validate(
  { projectId: id, experimentIds }: { readonly projectId: string; readonly experimentIds: readonly string[] },
  kind: keyof typeof SUGGESTIONS,
  condition: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (kind === 'run') {
    const { validation } = await send(validateRunFilter, { condition, experimentIds }, signal);
    return validation.isValid ? undefined : (validation.errorMessage ?? 'The filter is invalid.');
  }
  const { node } = await (kind === 'span'
    ? send(validateSpanFilter, { id, condition }, signal)
    : send(validateSessionFilter, { id, condition }, signal));
  if (node.__typename !== 'Project') return 'The project does not exist.';
  const result =
    'validateSpanFilterCondition' in node ? node.validateSpanFilterCondition : node.validateSessionFilterCondition;
  return result.isValid ? undefined : (result.errorMessage ?? 'The filter is invalid.');
}
