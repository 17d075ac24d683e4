// Made by scripts/generate-web-types.mjs from ../general.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type SettingsGeneralData = { readonly serverStatus: { readonly version: string; readonly insufficientStorage: boolean }; readonly dbStorageCapacityBytes: number | null; readonly dbTableStats: readonly ({ readonly numBytes: number })[]; readonly defaultProjectTraceRetentionPolicy: { readonly id: string; readonly cronExpression: unknown; readonly rule: { readonly __typename: 'TraceRetentionRuleMaxDays'; readonly maxDays: number } | { readonly __typename: 'TraceRetentionRuleMaxCount'; readonly maxCount: number } | { readonly __typename: 'TraceRetentionRuleMaxDaysOrCount'; readonly maxDays: number; readonly maxCount: number } } };

export type SettingsGeneralVariables = Record<string, never>;

export const settingsGeneral: Operation<SettingsGeneralData, SettingsGeneralVariables> = {
  name: 'settingsGeneral',
  text: "query settingsGeneral{serverStatus{version insufficientStorage}dbStorageCapacityBytes dbTableStats{numBytes}defaultProjectTraceRetentionPolicy{id cronExpression rule{...retentionRule}}}fragment retentionRule on TraceRetentionRule{__typename ...on TraceRetentionRuleMaxDays{maxDays}...on TraceRetentionRuleMaxCount{maxCount}...on TraceRetentionRuleMaxDaysOrCount{maxDays maxCount}}",
};
