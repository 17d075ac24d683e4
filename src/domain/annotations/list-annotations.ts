import type { Annotation } from '../../model/annotations/annotation.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Page } from '../../model/page.ts';
import type { AnnotationQuery } from '../../span-store/contract/annotations.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { Ports } from '../ports.ts';

/**
 * One page of a project's annotations of one kind of target, highest row id first.
 *
 * @throws {SpandrelError} `ANNOTATION_TARGET_NOT_FOUND` where there is none because the project has none of the targets.
 */
export async function listAnnotations(
  { spans }: Pick<Ports, 'spans'>,
  query: AnnotationQuery,
  options: ReadOptions,
): Promise<Page<Annotation>> {
  const page = await spans.findAnnotations(query, options);
  const { target, projectId, targetIds, identifiers } = query;
  if (page.items.length > 0 || targetIds === undefined || identifiers !== undefined) return page;
  const found = await spans.findTargets({ target, refs: targetIds.map((targetId) => ({ targetId })) }, options);
  for (const stored of found.values()) if (stored.projectId === projectId) return page;
  throw new SpandrelError('ANNOTATION_TARGET_NOT_FOUND', `None of the supplied ${target}_ids exist in this project`);
}
