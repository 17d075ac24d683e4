import { useCallback, useState } from 'react';

/** State that this browser stores under a name. `check` rejects values that an older version may have stored. */
export function useStoredState<State>(
  name: string,
  initial: State,
  check: (value: unknown) => value is State,
): readonly [State, (state: State) => void] {
  const key = `spandrel.${name}`;
  const [held, setHeld] = useState(() => ({ key, state: read(key, initial, check) }));
  const state = held.key === key ? held.state : read(key, initial, check);
  const set = useCallback(
    (next: State) => {
      setHeld({ key, state: next });
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // The value then lasts until the user leaves the page.
      }
    },
    [key],
  );
  return [state, set];
}

/** Value that this browser stores under a name, for use outside of components. */
export const readStored = <State>(name: string, initial: State, check: (value: unknown) => value is State): State =>
  read(`spandrel.${name}`, initial, check);

function read<State>(key: string, initial: State, check: (value: unknown) => value is State): State {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return check(value) ? value : initial;
  } catch {
    return initial;
  }
}
