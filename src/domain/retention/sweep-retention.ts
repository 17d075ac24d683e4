import type { RetentionPolicy, RetentionRule } from '../../model/projects/retention-policy.ts';
import { fallsBetween, parseCronHours } from '../../model/time/cron-hours.ts';
import { type AggregateRow, measure } from '../../span-store/contract/aggregate.ts';
import type { Deletion } from '../../span-store/contract/writer.ts';
import type { Ports } from '../ports.ts';

const DAY_NANO = 86_400_000_000_000;
/** A session without traces is deleted after this time, because a trace of it may still arrive. */
const EMPTY_SESSION_IDLE_NANO = 3_600_000_000_000n;

type Parts = Pick<Ports, 'retention' | 'spans' | 'writes'>;

export interface SweptPolicy {
  readonly name: string;
  /** Projects in which traces were deleted. */
  readonly projectCount: number;
}

/**
 * Applies every policy that is due since it was last applied, even if no server ran at that time. The deletions are durable
 * when this returns and are applied later. A policy that fails does not prevent the others.
 */
export async function sweepRetention(
  parts: Parts,
  now: Date,
  onError: (policy: RetentionPolicy, error: Error) => void,
): Promise<SweptPolicy[]> {
  const swept: SweptPolicy[] = [];
  for (const policy of await parts.retention.list()) {
    let projectCount = 0;
    try {
      const wasSwept = await parts.retention.sweep(policy.rowId, now, isDueAt(now), async ({ rule }, projectIds) => {
        projectCount = await applyRule(parts, rule, projectIds, now);
      });
      if (wasSwept) swept.push({ name: policy.name, projectCount });
    } catch (error) {
      onError(policy, error as Error);
    }
  }
  return swept;
}

const isDueAt =
  (now: Date) =>
  ({ cronExpression }: RetentionPolicy, sweptAt: Date): boolean => {
    const hours = parseCronHours(cronExpression);
    return !('problem' in hours) && fallsBetween(hours, sweptAt, now);
  };

async function applyRule(
  { spans, writes }: Parts,
  rule: RetentionRule,
  projectIds: readonly number[],
  now: Date,
): Promise<number> {
  if (projectIds.length === 0) return 0;
  const nowNano = BigInt(now.getTime()) * 1_000_000n;
  const rows = { grain: 'traces', projects: { only: projectIds }, groupBy: ['projectId'], measures: MEASURES } as const;
  let projectCount = 0;
  for (const project of await spans.aggregate(rows, { readClass: 'background' })) {
    const { projectId } = project;
    const deletions = deletionsOf(rule, project, nowNano);
    if (deletions.length === 0) continue;
    projectCount++;
    const endBeforeUnixNano = nowNano - EMPTY_SESSION_IDLE_NANO;
    for (const deletion of [...deletions, { what: 'emptySessions', projectId, endBeforeUnixNano } as const]) {
      await writes.submitDeletion(deletion);
    }
  }
  return projectCount;
}

const MEASURES = { traceCount: measure.rows, firstStart: measure.earliest('startTime') } as const;

/** A limit of 0 means no limit. */
function deletionsOf(
  rule: RetentionRule,
  { projectId, firstStart, traceCount }: AggregateRow<typeof MEASURES, 'projectId'>,
  nowNano: bigint,
): Deletion[] {
  const deletions: Deletion[] = [];
  const common = { what: 'tracesOfProject', projectId, withSessions: false } as const;
  if ('max_days' in rule && rule.max_days > 0) {
    const endTimeUnixNano = nowNano - BigInt(Math.round(rule.max_days * DAY_NANO));
    if (firstStart !== null && firstStart < endTimeUnixNano) deletions.push({ ...common, endTimeUnixNano });
  }
  if ('max_count' in rule && rule.max_count > 0 && traceCount > rule.max_count) {
    deletions.push({ ...common, exceptNewestCount: rule.max_count });
  }
  return deletions;
}
