import type { Ports } from '../ports.ts';
import { deleteProjectsOfEvaluators } from './delete-evaluators.ts';
import { SHIPPED_EVALUATORS } from './shipped-evaluators.ts';

/** Stores the evaluators that this program has; those of another version go, with their bindings and traces. */
export async function shipEvaluators(ports: Pick<Ports, 'evaluators' | 'projects' | 'writes'>): Promise<void> {
  await deleteProjectsOfEvaluators(ports, await ports.evaluators.syncBuiltIn(SHIPPED_EVALUATORS));
}
