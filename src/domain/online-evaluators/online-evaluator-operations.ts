import type { AuditParts } from '../access/audit.ts';
import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { listBackfills, retryOnlineItems, startBackfill, stopBackfill } from './backfill.ts';
import { changeOnlineEvaluator, createOnlineEvaluator, deleteOnlineEvaluator } from './change-online-evaluators.ts';
import { estimateBackfill } from './estimate-backfill.ts';

/** All operations of API layers on evaluators of projects. */
export const createOnlineEvaluatorOperations = (
  ports: Pick<Ports, 'onlineEvaluators' | 'projects' | 'spans' | 'writes'> & AuditParts,
) => ({
  ...pick(ports.onlineEvaluators, 'list', 'listUses', 'find', 'countWaiting', 'listItems', 'listDays'),
  ...bindToPorts(ports, {
    create: createOnlineEvaluator,
    change: changeOnlineEvaluator,
    delete: deleteOnlineEvaluator,
    estimateBackfill,
    startBackfill,
    stopBackfill,
    listBackfills,
    retryItems: retryOnlineItems,
  }),
});

export type OnlineEvaluatorOperations = ReturnType<typeof createOnlineEvaluatorOperations>;
