import type { AnnotationFilter } from '../../span-store/contract/annotations.ts';
import type { AuditParts } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';
import { submitDeletion } from '../submit-deletion.ts';

/**
 * Deletes the annotations of a project for which every given condition holds.
 *
 * @returns How many were stored just before. Annotations that arrive or are deleted at the same time may be counted wrongly.
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`
 */
export async function deleteAnnotations(
  ports: Pick<Ports, 'projects' | 'spans' | 'writes'> & AuditParts,
  filter: AnnotationFilter,
): Promise<number> {
  await getProject(ports, { rowId: filter.projectId });
  const count = await ports.spans.countMatchingAnnotations(filter);
  // Acknowledged annotations that are not applied yet are not counted, and are deleted too.
  await submitDeletion(ports, { what: 'matchingAnnotations', ...filter });
  return count;
}
