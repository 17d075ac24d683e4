import type { AuditParts } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { BUILT_IN_EVALUATORS } from './built-in-evaluators.ts';
import { deleteProjectsOfEvaluators } from './delete-evaluators.ts';

/** Stores the evaluators of this program. Those of another version are deleted with their bindings and traces. */
export async function syncBuiltInEvaluators(
  ports: Pick<Ports, 'evaluators' | 'projects' | 'onlineEvaluators' | 'writes'> & AuditParts,
): Promise<void> {
  await deleteProjectsOfEvaluators(ports, await ports.evaluators.syncBuiltIn(BUILT_IN_EVALUATORS));
}
