import type { Domain } from '../domain.ts';
import { deleteProjectsOfEvaluators } from './delete-evaluators.ts';
import { SHIPPED_EVALUATORS } from './shipped-evaluators.ts';

/** Stores the evaluators that this program has; those of another version go, with their bindings and traces. */
export async function shipEvaluators(domain: Pick<Domain, 'evaluators' | 'projects' | 'writes'>): Promise<void> {
  await deleteProjectsOfEvaluators(domain, await domain.evaluators.syncBuiltIn(SHIPPED_EVALUATORS));
}
