import type { Ports } from '../ports.ts';
import { projectNotFound } from '../projects/get-project.ts';

/** Ends a stream when the caller may no longer read what it shows. */
export interface AccessWatch {
  /** Fires when one of the projects is hidden from the caller. */
  readonly signal: AbortSignal;
  close(): void;
}

export function watchAccess(
  { projectAccess }: Pick<Ports, 'projectAccess'>,
  projectRowIds: readonly number[],
): AccessWatch {
  const ending = new AbortController();
  if (projectAccess === undefined) return { signal: ending.signal, close() {} };
  const check = () => {
    if (projectRowIds.some((rowId) => !projectAccess.canRead(rowId))) ending.abort();
  };
  const close = projectAccess.onChange(check);
  check();
  return { signal: ending.signal, close };
}

/**
 * Called before each part of a long response.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND` when the project has been hidden from the caller
 */
export function checkStillVisible({ projectAccess }: Pick<Ports, 'projectAccess'>, projectRowId: number): void {
  if (projectAccess && !projectAccess.canRead(projectRowId)) throw projectNotFound(projectRowId);
}
