import { SpandrelError } from '../../../model/errors.ts';

/** For work whose expected failures are reported elsewhere, or cost nothing. */
export function ignoreExpected(error: unknown): undefined {
  if (error instanceof SpandrelError) return undefined;
  throw error;
}
