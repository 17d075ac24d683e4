import { similarityOf } from './similarity.ts';

/** Maximum number of observed names in a warning. */
const LISTED_COUNT_MAX = 5;

/**
 * Warnings about annotation names that a project does not have. They are not errors, because such an annotation may
 * arrive later.
 *
 * @param observed all names of such annotations in the project
 */
export function annotationWarnings(
  language: 'session' | 'trace',
  names: readonly string[],
  observed: readonly string[],
): string[] {
  const known = new Set(observed);
  return names
    .filter((name) => !known.has(name))
    .map((name) => {
      const start = `unknown annotation name '${name}' — `;
      if (observed.length === 0) return `${start}this project has no ${language} annotations`;
      const closest = observed
        .map((candidate) => ({ candidate, similarity: similarityOf(name, candidate) }))
        .sort((a, b) => b.similarity - a.similarity || (a.candidate < b.candidate ? -1 : 1))
        .slice(0, LISTED_COUNT_MAX)
        .map(({ candidate }) => `'${candidate}'`);
      const unlisted = observed.length - closest.length;
      const more = unlisted > 0 ? ` (${unlisted} more not shown)` : '';
      return `${start}closest observed names: ${closest.join(', ')}${more}`;
    });
}
