import { createContext, useContext, useEffect, useRef } from 'react';

/** Increases when the surrounding trace or session may have changed. */
export const ChangeContext = createContext(0);

/** Calls `run` when the surrounding trace or session may have changed. */
export function useOnChange(run: () => void): void {
  const change = useContext(ChangeContext);
  const seen = useRef(change);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (seen.current !== change) latest.current();
    seen.current = change;
  }, [change]);
}
