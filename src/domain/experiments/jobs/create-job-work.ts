import { toRowIds } from '../../../span-store/contract/rows.ts';
import { CallCosts } from '../../playground/call-costs.ts';
import type { Ports } from '../../ports.ts';
import type { JobWork } from './job-work.ts';
import { openEvaluators } from './open-evaluators.ts';
import { openTask } from './open-task.ts';

/** The work of jobs, which the server itself does: its ports reach everything. */
export function createJobWork(ports: Omit<Ports, 'jobRunner'>): JobWork {
  const costs = new CallCosts(ports.models);
  // No operation of a task or an evaluator uses the runner.
  const all = ports as Ports;
  return {
    openTask: (job, secrets) => openTask(all, job, secrets, costs),
    openEvaluators: (job, secrets) => openEvaluators(all, job, secrets, costs),
    waitFor: (receipt) => ports.writes.waitFor(receipt),
    findSpanRowIds: async (ids) => toRowIds(await ports.spans.findByIds({ of: 'spans', ids })),
  };
}
