import { toGlobalId } from '../../model/global-id.ts';
import type { AnnotationFilter } from '../../span-store/annotation-queries.ts';
import type { Domain } from '../domain.ts';
import { getProject } from '../projects/get-project.ts';
import { submitDeletion } from '../submit-deletion.ts';

/** Deletes the annotations of a project for which every given condition holds; also where there is none. */
export async function deleteAnnotations(domain: Pick<Domain, 'writes'>, filter: AnnotationFilter): Promise<void> {
  await submitDeletion(domain, { what: 'matchingAnnotations', ...filter });
}

/**
 * Deletes as above, and tells how many there were just before; one that comes or goes meanwhile may be counted wrongly.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`
 */
export async function deleteCountedAnnotations(
  domain: Pick<Domain, 'projects' | 'spans' | 'writes'>,
  filter: AnnotationFilter,
): Promise<number> {
  await getProject(domain, toGlobalId('Project', filter.projectId));
  const count = await domain.spans.countMatchingAnnotations(filter);
  if (count > 0) await deleteAnnotations(domain, filter);
  return count;
}
