import { toGlobalId } from '../../model/global-id.ts';
import type { AnnotationFilter } from '../../span-store/contract/annotations.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';
import { submitDeletion } from '../submit-deletion.ts';

/** Deletes the annotations of a project for which every given condition holds; also where there is none. */
export async function deleteAnnotations(ports: Pick<Ports, 'writes'>, filter: AnnotationFilter): Promise<void> {
  await submitDeletion(ports, { what: 'matchingAnnotations', ...filter });
}

/**
 * Deletes as above, and tells how many there were just before; one that comes or goes meanwhile may be counted wrongly.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`
 */
export async function deleteCountedAnnotations(
  ports: Pick<Ports, 'projects' | 'spans' | 'writes'>,
  filter: AnnotationFilter,
): Promise<number> {
  await getProject(ports, toGlobalId('Project', filter.projectId));
  const count = await ports.spans.countMatchingAnnotations(filter);
  if (count > 0) await deleteAnnotations(ports, filter);
  return count;
}
