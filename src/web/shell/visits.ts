import { useEffect } from 'react';
import type { RequestFailure } from '../data/request.ts';

/** Something that was opened, as the palette offers it again. */
export interface Visit {
  readonly kind: 'project' | 'trace' | 'session';
  readonly path: string;
  readonly label: string;
  /** When it began, of what has a time: traces share names. */
  readonly startTime?: string | undefined;
}

const PLACE = 'spandrel.visits';
const COUNT_MAX = 20;
const KINDS: readonly unknown[] = ['project', 'trace', 'session'];

/** The latest first. What an older version may have left is passed over. */
export function readVisits(): readonly Visit[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]');
    return Array.isArray(found) ? found.filter(isVisit).slice(0, COUNT_MAX) : [];
  } catch {
    return [];
  }
}

function isVisit(value: unknown): value is Visit {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, path, label, startTime } = value as Record<string, unknown>;
  return (
    KINDS.includes(kind) &&
    typeof path === 'string' &&
    path.startsWith('/projects/') &&
    typeof label === 'string' &&
    (startTime === undefined || typeof startTime === 'string')
  );
}

/** Keeps in this browser that something was opened, once it is known what it is; forgets it when it is gone. */
export function useVisit(visit: Visit | undefined, path: string, failure: RequestFailure | undefined): void {
  const isGone = failure?.kind === 'notFound';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the label stands for the visit
  useEffect(() => {
    if (!visit && !isGone) return;
    const others = readVisits().filter((each) => each.path !== path);
    try {
      localStorage.setItem(PLACE, JSON.stringify(visit ? [visit, ...others].slice(0, COUNT_MAX) : others));
    } catch {
      // It is then not offered again.
    }
  }, [path, visit?.label, isGone]);
}
