import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import {
  createRetentionPolicy,
  deleteRetentionPolicy,
  findRetentionPolicies,
  listRetentionPolicies,
  projectsOfRetentionPolicy,
  sweepRetentionPolicy,
  updateRetentionPolicy,
} from './retention-policies.ts';

/** The functions of retention policies, their database given. */
export const retentionPolicyRows = (db: Db) =>
  bindToDatabase(db, {
    list: listRetentionPolicies,
    findByRowIds: findRetentionPolicies,
    projectsOf: projectsOfRetentionPolicy,
    create: createRetentionPolicy,
    update: updateRetentionPolicy,
    delete: deleteRetentionPolicy,
    sweep: sweepRetentionPolicy,
  });
