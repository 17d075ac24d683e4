import { groupBy } from '../../base/group-by.ts';
import { authorOf } from '../../model/access/caller.ts';
import type { PersonAnnotation, RunPreference } from '../../model/experiment-comparison.ts';
import type { Ports } from '../ports.ts';

/** An annotation of a person, as the caller reads it. */
export interface ReadPersonAnnotation
  extends Pick<PersonAnnotation, 'name' | 'label' | 'score' | 'explanation' | 'authorName'> {
  /** Whether the caller has written it. Without sign-in all people are one. */
  readonly isMine: boolean;
}

/** Whether the caller has written an annotation or a preference. */
export function isOwn({ caller }: Pick<Ports, 'caller'>) {
  const userId = authorOf(caller);
  return (one: Pick<PersonAnnotation | RunPreference, 'userId' | 'isAnonymous'>): boolean =>
    userId === null ? one.isAnonymous : one.userId === userId;
}

/** Annotations of people by run. A run without any is absent. */
export async function findPersonAnnotationsOfRuns(
  ports: Pick<Ports, 'experiments' | 'caller'>,
  runRowIds: readonly number[],
): Promise<Map<number, ReadPersonAnnotation[]>> {
  const isMine = isOwn(ports);
  return groupBy(
    await ports.experiments.findPersonAnnotations([...runRowIds]),
    ({ runRowId }) => runRowId,
    (annotation) => ({ ...annotation, isMine: isMine(annotation) }),
  );
}
