import { createContext, useContext, useEffect, useRef } from 'react';

/** Counts up when the trace or session around may have changed. */
export const ChangeContext = createContext(0);

/** Calls when the trace or session around may have changed. */
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
