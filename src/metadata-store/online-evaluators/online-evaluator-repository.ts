import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import {
  createBackfill,
  findRunningBackfill,
  finishBackfills,
  listBackfills,
  measureLastBackfill,
  stopBackfill,
} from './online-backfills.ts';
import {
  createOnlineEvaluator,
  deleteOnlineEvaluator,
  findOnlineEvaluator,
  listActiveOnlineEvaluators,
  listOnlineEvaluators,
  listUsesOfEvaluator,
  updateOnlineEvaluator,
} from './online-evaluators.ts';
import {
  claimDueItems,
  countWaitingItems,
  deleteOldItems,
  listDays,
  listItems,
  postponeItem,
  queueTargets,
  requeueItems,
  settleItems,
} from './online-items.ts';

const FUNCTIONS = {
  list: listOnlineEvaluators,
  listActive: listActiveOnlineEvaluators,
  listUses: listUsesOfEvaluator,
  find: findOnlineEvaluator,
  create: createOnlineEvaluator,
  update: updateOnlineEvaluator,
  delete: deleteOnlineEvaluator,
  queueTargets,
  claimDue: claimDueItems,
  postpone: postponeItem,
  settle: settleItems,
  requeue: requeueItems,
  countWaiting: countWaitingItems,
  listItems,
  listDays,
  deleteOldItems,
  createBackfill,
  listBackfills,
  measureLastBackfill,
  findRunningBackfill,
  finishBackfills,
  stopBackfill,
};

/** The repository of online evaluators, their targets and backfills, each function with its database bound. */
export type OnlineEvaluatorRepository = BoundToDatabase<typeof FUNCTIONS>;
export const onlineEvaluatorRepository = (db: Db): OnlineEvaluatorRepository => bindToDatabase(db, FUNCTIONS);
