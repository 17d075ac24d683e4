import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Cell } from '../run/cell.ts';
import type { CellStore, Progress } from '../run/cell-store.ts';

/** An output, rendered again in frames in which it has changed. */
export function useCell(store: CellStore, variantId: string, caseId: string, repetition: number): Cell | undefined {
  const subscribe = useCallback(
    (listener: () => void) => store.subscribe({ variantId, caseId, repetition }, listener),
    [store, variantId, caseId, repetition],
  );
  return useSyncExternalStore(subscribe, () => store.get({ variantId, caseId, repetition }));
}

export function useProgress(store: CellStore, variantId: string): Progress {
  const subscribe = useCallback(
    (listener: () => void) => store.subscribeToVariant(variantId, listener),
    [store, variantId],
  );
  return useSyncExternalStore(subscribe, () => store.progressOf(variantId));
}

/** Pause after figures were computed. They take time, which grows with the run. */
const PAUSE_MS_MIN = 500;

/**
 * A value computed from all cells of variants, which follows their changes with pauses.
 *
 * @param compute Resolves to the value. It does its work in slices.
 */
export function useFigures<Value>(
  store: CellStore,
  variantIds: readonly string[],
  compute: () => Promise<Value>,
): Value | undefined {
  const [value, setValue] = useState<Value>();
  const key = variantIds.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the variants
  useEffect(() => {
    let isGone = false;
    let state: 'idle' | 'waiting' | 'again' = 'idle';
    const update = async () => {
      state = 'waiting';
      const next = await compute();
      if (isGone) return;
      setValue(next);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS_MIN));
      if (isGone) return;
      const hasChanged = (state as string) === 'again';
      state = 'idle';
      if (hasChanged) void update();
    };
    const listener = () => {
      if (state === 'idle') void update();
      else state = 'again';
    };
    void update();
    const ends = variantIds.map((id) => store.subscribeToVariant(id, listener));
    return () => {
      isGone = true;
      for (const end of ends) end();
    };
  }, [store, key]);
  return value;
}
