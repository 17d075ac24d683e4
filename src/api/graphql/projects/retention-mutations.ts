import { expectPresent } from '../../../base/expect-present.ts';
import type { RetentionPolicy, RetentionRule } from '../../../model/projects/retention-policy.ts';
import { reject } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { QUERY, type Resolvers, retentionPolicyRef } from '../resolvers.ts';

interface RuleInput {
  readonly maxDays?: { readonly maxDays: number } | null;
  readonly maxCount?: { readonly maxCount: number } | null;
  readonly maxDaysOrCount?: { readonly maxDays: number; readonly maxCount: number } | null;
}

interface CreateInput {
  readonly name: string;
  readonly cronExpression: string;
  readonly rule: RuleInput;
  readonly addProjects?: readonly string[] | null;
}

/** Null has the meaning of absent. */
interface PatchInput {
  readonly id: string;
  readonly name?: string | null;
  readonly cronExpression?: string | null;
  readonly rule?: RuleInput | null;
  readonly addProjects?: readonly string[] | null;
  readonly removeProjects?: readonly string[] | null;
}

export const retentionMutations: Resolvers = {
  async createProjectTraceRetentionPolicy(_source, { input }: { readonly input: CreateInput }, context) {
    const { name, cronExpression, rule } = input;
    const fields = { name, cronExpression: String(cronExpression), rule: toRule(rule) };
    return payload(await context.domain.retention.create(fields, toProjectIds(input.addProjects)), context);
  },
  async patchProjectTraceRetentionPolicy(_source, { input }: { readonly input: PatchInput }, context) {
    const policy = await context.domain.retention.update(rowIdOfPolicy(input.id), {
      name: input.name ?? undefined,
      cronExpression: input.cronExpression == null ? undefined : String(input.cronExpression),
      rule: input.rule ? toRule(input.rule) : undefined,
      addedProjectIds: toProjectIds(input.addProjects),
      removedProjectIds: toProjectIds(input.removeProjects),
    });
    return payload(policy, context);
  },
  async deleteProjectTraceRetentionPolicy(_source, { input }: { readonly input: { readonly id: string } }, context) {
    return payload(await context.domain.retention.delete(rowIdOfPolicy(input.id)), context);
  },
};

const rowIdOfPolicy = (globalId: string) => rowIdOfNode('ProjectTraceRetentionPolicy', globalId);

const toProjectIds = (globalIds: readonly string[] | null | undefined): number[] => [
  ...new Set((globalIds ?? []).map((globalId) => rowIdOfNode('Project', globalId))),
];

function toRule({ maxDays, maxCount, maxDaysOrCount }: RuleInput): RetentionRule {
  const given = [maxDays, maxCount, maxDaysOrCount].filter((rule) => rule !== undefined && rule !== null);
  if (given.length !== 1) return reject('Exactly one rule must be provided');
  if (maxDays) return { type: 'max_days', max_days: maxDays.maxDays };
  if (maxCount) return { type: 'max_count', max_count: maxCount.maxCount };
  const both = expectPresent(maxDaysOrCount ?? undefined, 'one rule is given');
  return { type: 'max_days_or_count', max_days: both.maxDays, max_count: both.maxCount };
}

/** The policy after the mutation, or the deleted policy. */
function payload(policy: RetentionPolicy, context: GraphqlContext): object {
  context.invalidateReads();
  context.loaders.retentionPolicies.prime(policy.rowId, policy);
  return { node: retentionPolicyRef(policy.rowId), query: QUERY };
}
