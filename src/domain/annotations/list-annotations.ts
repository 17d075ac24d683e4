import type { Annotation } from '../../model/annotations/annotation.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Page } from '../../model/page.ts';
import type { AnnotationQuery } from '../../span-store/contract/annotations.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { Ports } from '../ports.ts';

/**
 * One page of a project's annotations of one kind of target, highest row id first. A deleted author is null.
 *
 * @throws {SpandrelError} `ANNOTATION_TARGET_NOT_FOUND` where there is none because the project has none of the targets.
 */
export async function listAnnotations(
  { spans, users }: Pick<Ports, 'spans' | 'users'>,
  query: AnnotationQuery,
  options: ReadOptions,
): Promise<Page<Annotation>> {
  const page = await spans.findAnnotations(query, options);
  const { target, projectId, targetIds, identifiers } = query;
  if (page.items.length > 0) return { ...page, items: await withCurrentAuthors(users, page.items) };
  if (targetIds === undefined || identifiers !== undefined) return page;
  const found = await spans.findTargets({ target, refs: targetIds.map((targetId) => ({ targetId })) }, options);
  for (const stored of found.values()) if (stored.projectId === projectId) return page;
  throw new SpandrelError('ANNOTATION_TARGET_NOT_FOUND', `None of the supplied ${target}_ids exist in this project`);
}

/** The span store keeps the row ids of deleted authors, which no other user gets. */
async function withCurrentAuthors(users: Ports['users'], annotations: Annotation[]): Promise<Annotation[]> {
  const rowIds = new Set(annotations.flatMap(({ userId }) => userId ?? []));
  if (rowIds.size === 0) return annotations;
  const found = await users.findByRowIds([...rowIds]);
  return annotations.map((one) => (one.userId === null || found.has(one.userId) ? one : { ...one, userId: null }));
}
