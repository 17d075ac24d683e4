// Made by scripts/generate-web-types.mjs from ../audit.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type SettingsAuditData = { readonly auditLog: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly happenedAt: string; readonly username: string | null; readonly credential: string; readonly remoteAddress: string | null; readonly action: string; readonly outcome: 'DONE' | 'DENIED'; readonly targetKind: string; readonly targetId: string | null; readonly targetName: string | null; readonly before: unknown | null; readonly after: unknown | null } })[] } };

export type SettingsAuditVariables = { readonly after?: string | null; readonly filter?: { readonly action?: string | null; readonly outcome?: 'DONE' | 'DENIED' | null; readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null; readonly text?: string | null; readonly username?: string | null; readonly target?: string | null } | null };

export const settingsAudit: Operation<SettingsAuditData, SettingsAuditVariables> = {
  name: 'settingsAudit',
  text: "query settingsAudit($after:String$filter:AuditFilter){auditLog(first:100 after:$after filter:$filter){pageInfo{hasNextPage endCursor}edges{node{id happenedAt username credential remoteAddress action outcome targetKind targetId targetName before after}}}}",
};

export type SettingsAuditCheckData = { readonly auditLogCheck: { readonly entryCount: number; readonly brokenAt: { readonly id: string; readonly happenedAt: string; readonly action: string } | null } };

export type SettingsAuditCheckVariables = Record<string, never>;

export const settingsAuditCheck: Operation<SettingsAuditCheckData, SettingsAuditCheckVariables> = {
  name: 'settingsAuditCheck',
  text: "query settingsAuditCheck{auditLogCheck{entryCount brokenAt{id happenedAt action}}}",
};
