import { formatCount } from '../../format/numbers.ts';
import type { SettingsRetentionData } from './generated/settings.ts';

export type RetentionRule = SettingsRetentionData['projectTraceRetentionPolicies']['edges'][number]['node']['rule'];

/** Limits of a rule. Zero means no limit. */
export function limitsOf(rule: RetentionRule): { readonly days: number; readonly count: number } {
  return { days: 'maxDays' in rule ? rule.maxDays : 0, count: 'maxCount' in rule ? rule.maxCount : 0 };
}

export function describeRule(rule: RetentionRule): string {
  const { days, count } = limitsOf(rule);
  const parts = [
    ...(days > 0 ? [`${days} ${days === 1 ? 'day' : 'days'}`] : []),
    ...(count > 0 ? [`the newest ${formatCount(count)}`] : []),
  ];
  return parts.length === 0 ? 'Keeps everything' : `Keeps ${parts.join(' and of these ')}`;
}
