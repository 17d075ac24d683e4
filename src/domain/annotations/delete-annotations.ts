import type { AnnotationFilter } from '../../span-store/contract/annotations.ts';
import type { AuditParts } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';
import { submitDeletion } from '../submit-deletion.ts';
import { onlyAuthor } from './check-author.ts';

/**
 * Deletes the annotations of a project for which every given condition holds: all as an administrator, else one's own.
 *
 * @returns How many were stored just before. Annotations that arrive or are deleted at the same time may be counted wrongly.
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`
 */
export async function deleteAnnotations(
  ports: Pick<Ports, 'projects' | 'spans' | 'writes'> & AuditParts,
  conditions: Omit<AnnotationFilter, 'userId'>,
): Promise<number> {
  await getProject(ports, { rowId: conditions.projectId });
  const userId = onlyAuthor(ports.caller, { orAdmin: true });
  if (userId === null) return 0;
  const filter: AnnotationFilter = { ...conditions, ...(userId !== undefined && { userId }) };
  const counts = await ports.spans.countAnnotations(filter);
  // Acknowledged annotations that are not applied yet are not counted, and are deleted too.
  await submitDeletion(ports, { what: 'matchingAnnotations', ...filter });
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
