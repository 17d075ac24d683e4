import { SpandrelError } from '../../model/errors.ts';
import {
  DEFAULT_RETENTION_POLICY_ROW_ID,
  type RetentionPolicy,
  type RetentionPolicyChanges,
  type RetentionPolicyFields,
  type RetentionRule,
} from '../../model/projects/retention-policy.ts';
import { RowError } from '../../model/row-error.ts';
import { parseCronHours } from '../../model/time/cron-hours.ts';
import { type AuditParts, recorded } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { projectNotFound } from '../projects/get-project.ts';

type Parts = Pick<Ports, 'retention' | 'projects'> & AuditParts;

const targetOf = ({ rowId, name }: RetentionPolicy) => ({
  kind: 'ProjectTraceRetentionPolicy',
  id: String(rowId),
  name,
});
const fieldsOf = ({ name, cronExpression, rule }: RetentionPolicy) => ({
  name,
  cronExpression,
  rule: JSON.stringify(rule),
});

/** @throws {SpandrelError} `QUERY_INVALID`, `PROJECT_NOT_FOUND` */
export async function createRetentionPolicy(
  parts: Parts,
  given: RetentionPolicyFields,
  projectIds: readonly number[],
): Promise<RetentionPolicy> {
  const fields = { ...given, ...checkFields(given) };
  const distinct = [...new Set(projectIds)];
  await checkProjects(parts, distinct);
  return recorded(parts, async ({ retention }) => {
    const result = await retention.create(fields, distinct);
    return {
      result,
      entry: { action: 'retention.create', outcome: 'DONE', target: targetOf(result), after: fieldsOf(result) },
    };
  });
}

/** @throws {SpandrelError} `RETENTION_POLICY_NOT_FOUND`, `QUERY_INVALID`, `PROJECT_NOT_FOUND` */
export async function updateRetentionPolicy(
  parts: Parts,
  rowId: number,
  given: RetentionPolicyChanges,
): Promise<RetentionPolicy> {
  const changes = { ...given, ...checkFields(given) };
  if (rowId === DEFAULT_RETENTION_POLICY_ROW_ID && changes.name !== undefined) {
    reject('Cannot rename the default project trace retention policy.');
  }
  const { addedProjectIds = [], removedProjectIds = [] } = changes;
  if (addedProjectIds.some((projectId) => removedProjectIds.includes(projectId))) {
    reject('A project cannot be both added and removed');
  }
  await checkProjects(parts, [...addedProjectIds, ...removedProjectIds]);
  const former = (await parts.retention.findByRowIds([rowId])).get(rowId) ?? notFound(rowId);
  return recorded(parts, async ({ retention }) => {
    const result = (await retention.update(rowId, changes)) ?? notFound(rowId);
    const [before, after] = [fieldsOf(former), fieldsOf(result)];
    return { result, entry: { action: 'retention.update', outcome: 'DONE', target: targetOf(result), before, after } };
  });
}

/** @throws {SpandrelError} `RETENTION_POLICY_NOT_FOUND`, `QUERY_INVALID` */
export async function deleteRetentionPolicy(parts: Parts, rowId: number): Promise<RetentionPolicy> {
  if (rowId === DEFAULT_RETENTION_POLICY_ROW_ID) reject('Cannot delete the default project trace retention policy.');
  return recorded(parts, async ({ retention }) => {
    const result = (await retention.delete(rowId)) ?? notFound(rowId);
    return {
      result,
      entry: { action: 'retention.delete', outcome: 'DONE', target: targetOf(result), before: fieldsOf(result) },
    };
  });
}

/** Texts without surrounding blanks. */
function checkFields(given: RetentionPolicyChanges) {
  const name = given.name?.trim();
  const cronExpression = given.cronExpression?.trim();
  if (name === '') reject('Name cannot be empty');
  if (cronExpression === '') reject('Cron expression cannot be empty');
  const hours = cronExpression === undefined ? [] : parseCronHours(cronExpression);
  if ('problem' in hours) reject(hours.problem);
  if (given.rule) checkRule(given.rule);
  return { ...(name !== undefined && { name }), ...(cronExpression !== undefined && { cronExpression }) };
}

function checkRule(rule: RetentionRule): void {
  if ('max_days' in rule && !(rule.max_days >= 0 && rule.max_days <= DAYS_MAX)) {
    reject(`Days must be a number from 0 to ${DAYS_MAX}`);
  }
  if ('max_count' in rule && !(rule.max_count >= 0)) reject('Count must not be negative');
}

/** A thousand years. A longer time would reach back before every span. */
const DAYS_MAX = 365_250;

async function checkProjects({ projects }: Pick<Parts, 'projects'>, rowIds: readonly number[]): Promise<void> {
  const found = await projects.findByRowIds(rowIds);
  const missing = rowIds.find((rowId) => !found.has(rowId));
  if (missing !== undefined) throw projectNotFound(missing);
}

const reject = (message: string): never => {
  throw new SpandrelError('QUERY_INVALID', message);
};

const notFound = (rowId: number): never => {
  throw new RowError(
    'RETENTION_POLICY_NOT_FOUND',
    'ProjectTraceRetentionPolicy',
    [rowId],
    (id) => `ProjectTraceRetentionPolicy with ID ${id} not found`,
  );
};
