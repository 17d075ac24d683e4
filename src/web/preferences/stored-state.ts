import { useCallback, useState } from 'react';

/** State that this browser stores under a name. `check` rejects values that an older version may have stored. */
export function useStoredState<State>(
  name: string,
  initial: State,
  check: (value: unknown) => value is State,
): readonly [State, (state: State) => void] {
  const place = `spandrel.${name}`;
  const [held, setHeld] = useState(() => ({ place, state: read(place, initial, check) }));
  const state = held.place === place ? held.state : read(place, initial, check);
  const set = useCallback(
    (next: State) => {
      setHeld({ place, state: next });
      try {
        localStorage.setItem(place, JSON.stringify(next));
      } catch {
        // The value then lasts until the user leaves the page.
      }
    },
    [place],
  );
  return [state, set];
}

/** Value that this browser stores under a name, for use outside of components. */
export const readStored = <State>(name: string, initial: State, check: (value: unknown) => value is State): State =>
  read(`spandrel.${name}`, initial, check);

function read<State>(place: string, initial: State, check: (value: unknown) => value is State): State {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(place) ?? 'null');
    return check(value) ? value : initial;
  } catch {
    return initial;
  }
}
