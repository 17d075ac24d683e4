import { useEffect, useRef, useState } from 'react';
import { toFailure } from '../../data/use-query.ts';
import { tellFailure } from '../toasts.tsx';
import { type Draft, isEmpty, toAnnotationValues, toDraft } from './annotation-draft.ts';
import type { Annotation, AnnotationConfig, Annotations } from './use-annotations.ts';

/** Delay after the last change. */
const SAVE_MS = 500;

type State = { readonly is: 'rest' | 'waiting' | 'saved' } | { readonly is: 'wrong'; readonly problem: string };

interface SavedDraft {
  readonly draft: Draft;
  readonly state: State;
  readonly change: (part: Partial<Draft>) => void;
  /** Saves at once. Resolves to whether everything is saved. */
  readonly flush: () => Promise<boolean>;
}

/**
 * Draft of the user's annotation by a config. It is saved half a second after the last change, and when the user leaves
 * the row.
 *
 * @param given The stored annotation, as last read.
 */
export function useDraft(config: AnnotationConfig, given: Annotation | undefined, of: Annotations): SavedDraft {
  const [draft, setDraft] = useState<Draft>(() => toDraft(given));
  const [state, setState] = useState<State>({ is: 'rest' });
  const pending = useRef<Draft>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(of);
  latest.current = of;

  const isGone = useRef(false);
  /** ID of the annotation on the server, which may be newer than `given`. */
  const savedId = useRef(given?.id);
  const savingCount = useRef(0);
  const saved = useRef(Promise.resolve(true));
  const fail = (problem: string): false => {
    setState({ is: 'wrong', problem });
    // A user who has left the row sees a message.
    if (isGone.current) tellFailure(`${config.name} was not saved: ${problem}`);
    return false;
  };
  const save = async (next: Draft): Promise<boolean> => {
    const annotations = latest.current;
    try {
      if (isEmpty(next)) {
        if (savedId.current !== undefined) await annotations.remove(savedId.current);
        savedId.current = undefined;
      } else {
        const values = toAnnotationValues(next, config);
        if (typeof values === 'string') return fail(values);
        savedId.current = await annotations.save(values, savedId.current);
      }
      setState((current) => (current.is === 'waiting' && pending.current ? current : { is: 'saved' }));
      return true;
    } catch (error) {
      return fail(toFailure(error).message);
    } finally {
      savingCount.current--;
    }
  };
  /** Waits for the save in progress, so that the later change wins. Resolves to whether everything is saved. */
  const flush = (): Promise<boolean> => {
    clearTimeout(timer.current);
    const next = pending.current;
    pending.current = undefined;
    if (next) {
      savingCount.current++;
      saved.current = saved.current.then(() => save(next));
    }
    return saved.current;
  };
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    setState({ is: 'waiting' });
    pending.current = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void flush(), SAVE_MS);
  };
  // Saves the draft when the user leaves the row before the delay has passed.
  const flushLatest = useRef(flush);
  flushLatest.current = flush;
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      void flushLatest.current();
    };
  }, []);

  // Applies changes that were made in the list below or by another user.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an unchanged response must not overwrite typed text
  useEffect(() => {
    if (pending.current || savingCount.current > 0) return;
    savedId.current = given?.id;
    setDraft(toDraft(given));
  }, [given?.id, given?.updatedAt]);
  return { draft, state, change, flush };
}
