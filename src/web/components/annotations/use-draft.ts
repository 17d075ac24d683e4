import { useEffect, useRef, useState } from 'react';
import { toFailure } from '../../data/use-query.ts';
import { tellFailure } from '../toasts.tsx';
import { type Draft, isEmpty, toDraft, toJudgement } from './judgement.ts';
import type { Annotation, AnnotationConfig, Annotations } from './use-annotations.ts';

/** After the last change. */
const SAVE_MS = 500;

type State = { readonly is: 'rest' | 'waiting' | 'saved' } | { readonly is: 'wrong'; readonly problem: string };

interface SavedDraft {
  readonly draft: Draft;
  readonly state: State;
  readonly change: (part: Partial<Draft>) => void;
  /** Saves at once; resolves to whether all is saved. */
  readonly flush: () => Promise<boolean>;
}

/**
 * What a person says by a config. It saves itself half a second after the last change, and when the row is left.
 *
 * @param given What they have said by it, as it was read last.
 */
export function useDraft(config: AnnotationConfig, given: Annotation | undefined, of: Annotations): SavedDraft {
  const [draft, setDraft] = useState<Draft>(() => toDraft(given));
  const [state, setState] = useState<State>({ is: 'rest' });
  const pending = useRef<Draft>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(of);
  latest.current = of;

  const isGone = useRef(false);
  /** The annotation as the server has it, which may be newer than `given`. */
  const savedId = useRef(given?.id);
  const savingCount = useRef(0);
  const saved = useRef(Promise.resolve(true));
  const fail = (problem: string): false => {
    setState({ is: 'wrong', problem });
    // Whoever has gone on learns of it all the same.
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
        const judgement = toJudgement(next, config);
        if (typeof judgement === 'string') return fail(judgement);
        savedId.current = await annotations.save(judgement, savedId.current);
      }
      setState((current) => (current.is === 'waiting' && pending.current ? current : { is: 'saved' }));
      return true;
    } catch (error) {
      return fail(toFailure(error).message);
    } finally {
      savingCount.current--;
    }
  };
  /** Saves after what is being saved: of two changes the later one stays. Resolves to whether all is saved. */
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
    if (pending.current || savingCount.current > 0) return;
    savedId.current = given?.id;
    setDraft(toDraft(given));
  }, [given?.id, given?.updatedAt]);
  return { draft, state, change, flush };
}
