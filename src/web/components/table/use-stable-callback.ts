import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns the same function in each render, so that memoized rows are not rendered again. Not for use while rendering. */
export function useStableCallback<Arguments extends readonly unknown[], Result>(
  callback: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Arguments) => latest.current(...args), []);
}
