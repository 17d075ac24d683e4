import { useEffect } from 'react';
import type { RequestFailure } from '../data/request.ts';

/** Kinds of objects with a page, and the root of the pages of each kind. */
const ROOTS = {
  project: '/projects/',
  trace: '/projects/',
  session: '/projects/',
  dataset: '/datasets/',
  prompt: '/prompts/',
} as const;

export type VisitKind = keyof typeof ROOTS;

/** Recently opened object that the palette offers. */
export interface Visit {
  readonly kind: VisitKind;
  readonly path: string;
  readonly label: string;
  /** Start time of a trace, because traces share names. */
  readonly startTime?: string | undefined;
}

const STORAGE_KEY = 'spandrel.visits';
const COUNT_MAX = 20;

/** Reads visits, newest first. Skips entries in unknown formats. */
export function readVisits(): readonly Visit[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(found) ? found.filter(isVisit).slice(0, COUNT_MAX) : [];
  } catch {
    return [];
  }
}

const isKind = (value: unknown): value is VisitKind => typeof value === 'string' && Object.hasOwn(ROOTS, value);

function isVisit(value: unknown): value is Visit {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, path, label, startTime } = value as Record<string, unknown>;
  return (
    isKind(kind) &&
    typeof path === 'string' &&
    path.startsWith(ROOTS[kind]) &&
    typeof label === 'string' &&
    (startTime === undefined || typeof startTime === 'string')
  );
}

/** Stores a visit in this browser once its label is known, and removes it when the object does not exist. */
export function useVisit(visit: Visit | undefined, path: string, failure: RequestFailure | undefined): void {
  const isGone = failure?.kind === 'notFound';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the label stands for the visit
  useEffect(() => {
    if (!visit && !isGone) return;
    const others = readVisits().filter((each) => each.path !== path);
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(visit ? [visit, ...others].slice(0, COUNT_MAX) : others));
    } catch {
      // Without storage, the visit is not offered again.
    }
  }, [path, visit?.label, isGone]);
}
