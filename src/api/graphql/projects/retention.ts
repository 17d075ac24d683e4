import {
  DEFAULT_RETENTION_POLICY_ROW_ID,
  type RetentionPolicy,
  type RetentionRule,
} from '../../../model/projects/retention-policy.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { fromRow, id, type NodeRef, projectRef, type Resolvers, retentionPolicyRef } from '../resolvers.ts';

const row = fromRow<RetentionPolicy>(({ retentionPolicies }) => retentionPolicies);

export const retentionPolicyResolvers: Resolvers = {
  id,
  name: row(({ name }) => name),
  cronExpression: row(({ cronExpression }) => cronExpression),
  rule: row(({ rule }) => toRule(rule)),
  async projects({ rowId }: NodeRef, args: PageArguments, { domain, items }: GraphqlContext) {
    return offsetConnection(await domain.retention.projectsOf(rowId), args, projectRef, items);
  },
};

export const retentionQueries: Resolvers = {
  defaultProjectTraceRetentionPolicy: () => retentionPolicyRef(DEFAULT_RETENTION_POLICY_ROW_ID),
  async projectTraceRetentionPolicies(_source, args: PageArguments, { domain, loaders, items }: GraphqlContext) {
    const toNode = (policy: RetentionPolicy) => {
      loaders.retentionPolicies.prime(policy.rowId, policy);
      return retentionPolicyRef(policy.rowId);
    };
    return offsetConnection(await domain.retention.list(), args, toNode, items);
  },
};

function toRule(rule: RetentionRule): object {
  switch (rule.type) {
    case 'max_days':
      return { __typename: 'TraceRetentionRuleMaxDays', maxDays: rule.max_days };
    case 'max_count':
      return { __typename: 'TraceRetentionRuleMaxCount', maxCount: rule.max_count };
    case 'max_days_or_count':
      return { __typename: 'TraceRetentionRuleMaxDaysOrCount', maxDays: rule.max_days, maxCount: rule.max_count };
  }
}
