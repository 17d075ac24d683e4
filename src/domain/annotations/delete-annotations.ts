import type { AnnotationFilter } from '../../span-store/annotation-queries.ts';
import type { Domain } from '../domain.ts';
import { submitDeletion } from '../submit-deletion.ts';

/** Deletes the annotations of a project for which every given condition holds; also where there is none. */
export async function deleteAnnotations(domain: Pick<Domain, 'writes'>, filter: AnnotationFilter): Promise<void> {
  await submitDeletion(domain, { what: 'matchingAnnotations', ...filter });
}
