// Made by scripts/generate-web-types.mjs from ../prompt.graphql.

import type { Operation } from '../../../data/operation.ts';

export type PromptHeadData = { readonly node: { readonly __typename: 'Prompt'; readonly id: string; readonly name: string; readonly description: string | null; readonly metadata: unknown; readonly createdAt: string; readonly updatedAt: string; readonly versionCount: number; readonly sourcePrompt: { readonly id: string; readonly name: string } | null; readonly createdBy: { readonly username: string } | null; readonly labels: readonly ({ readonly id: string; readonly name: string; readonly color: string | null; readonly description: string | null })[]; readonly versionTags: readonly ({ readonly id: string; readonly name: string; readonly description: string | null; readonly version: { readonly id: string; readonly sequenceNumber: number } })[]; readonly promptVersions: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly sequenceNumber: number; readonly description: string | null; readonly createdAt: string; readonly modelName: string; readonly isLatest: boolean; readonly user: { readonly username: string } | null; readonly tags: readonly ({ readonly id: string; readonly name: string })[] } })[] } } | { readonly __typename: 'another' } };

export type PromptHeadVariables = { readonly id: string };

export const promptHead: Operation<PromptHeadData, PromptHeadVariables> = {
  name: 'promptHead',
  text: "query promptHead($id:ID!){node(id:$id){__typename ...on Prompt{id name description metadata createdAt updatedAt versionCount sourcePrompt{id name}createdBy{username}labels{id name color description}versionTags{id name description version{id sequenceNumber}}promptVersions(first:5){edges{node{...versionRow}}}}}}fragment versionRow on PromptVersion{id sequenceNumber description createdAt modelName isLatest user{username}tags{id name}}",
};

export type PromptVersionListData = { readonly node: { readonly __typename: 'Prompt'; readonly id: string; readonly promptVersions: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly sequenceNumber: number; readonly description: string | null; readonly createdAt: string; readonly modelName: string; readonly isLatest: boolean; readonly user: { readonly username: string } | null; readonly tags: readonly ({ readonly id: string; readonly name: string })[] } })[] } } | { readonly __typename: 'another' } };

export type PromptVersionListVariables = { readonly id: string; readonly first: number; readonly after?: string | null };

export const promptVersionList: Operation<PromptVersionListData, PromptVersionListVariables> = {
  name: 'promptVersionList',
  text: "query promptVersionList($id:ID!$first:Int!$after:String){node(id:$id){__typename ...on Prompt{id promptVersions(first:$first after:$after){pageInfo{hasNextPage endCursor}edges{node{...versionRow}}}}}}fragment versionRow on PromptVersion{id sequenceNumber description createdAt modelName isLatest user{username}tags{id name}}",
};

export type PromptVersionData = { readonly node: { readonly __typename: 'Prompt'; readonly id: string; readonly version: { readonly id: string; readonly sequenceNumber: number; readonly description: string | null; readonly createdAt: string; readonly modelName: string; readonly isLatest: boolean; readonly user: { readonly username: string } | null; readonly tags: readonly ({ readonly id: string; readonly name: string })[]; readonly metadata: unknown; readonly content: unknown; readonly previousVersion: { readonly id: string; readonly sequenceNumber: number } | null; readonly customProvider: { readonly id: string; readonly name: string } | null; readonly templateDescription: { readonly variables: readonly (string)[]; readonly problem: string | null; readonly tags: readonly ({ readonly messageIndex: number; readonly partIndex: number; readonly kind: 'VARIABLE' | 'SECTION' | 'INVERTED' | 'END' | 'COMMENT' | 'ESCAPE' | 'INVALID'; readonly name: string; readonly start: number; readonly end: number })[] } } } | { readonly __typename: 'another' } };

export type PromptVersionVariables = { readonly id: string; readonly versionId?: string | null };

export const promptVersion: Operation<PromptVersionData, PromptVersionVariables> = {
  name: 'promptVersion',
  text: "query promptVersion($id:ID!$versionId:ID){node(id:$id){__typename ...on Prompt{id version(versionId:$versionId){...versionRow metadata content previousVersion{id sequenceNumber}customProvider{id name}templateDescription{variables problem tags{messageIndex partIndex kind name start end}}}}}}fragment versionRow on PromptVersion{id sequenceNumber description createdAt modelName isLatest user{username}tags{id name}}",
};

export type PromptDifferencesData = { readonly comparePromptVersions: readonly ({ readonly path: string; readonly kind: 'ADDED' | 'REMOVED' | 'CHANGED'; readonly before: unknown | null; readonly after: unknown | null })[] };

export type PromptDifferencesVariables = { readonly baseVersionId: string; readonly versionId: string };

export const promptDifferences: Operation<PromptDifferencesData, PromptDifferencesVariables> = {
  name: 'promptDifferences',
  text: "query promptDifferences($baseVersionId:ID!$versionId:ID!){comparePromptVersions(baseVersionId:$baseVersionId versionId:$versionId){path kind before after}}",
};

export type PromptTagMovesData = { readonly node: { readonly __typename: 'Prompt'; readonly id: string; readonly tagMoves: readonly ({ readonly tagName: string; readonly movedAt: string; readonly user: { readonly username: string } | null; readonly fromVersion: { readonly id: string; readonly sequenceNumber: number } | null; readonly toVersion: { readonly id: string; readonly sequenceNumber: number } | null })[] } | { readonly __typename: 'another' } };

export type PromptTagMovesVariables = { readonly id: string };

export const promptTagMoves: Operation<PromptTagMovesData, PromptTagMovesVariables> = {
  name: 'promptTagMoves',
  text: "query promptTagMoves($id:ID!){node(id:$id){__typename ...on Prompt{id tagMoves(first:100){tagName movedAt user{username}fromVersion{id sequenceNumber}toVersion{id sequenceNumber}}}}}",
};

export type PromptUsageData = { readonly node: { readonly __typename: 'Prompt'; readonly id: string; readonly usage: { readonly binStarts: readonly (string)[]; readonly projects: readonly ({ readonly callCount: number; readonly project: { readonly id: string; readonly name: string } })[]; readonly versions: readonly ({ readonly filterCondition: string; readonly firstCallAt: string; readonly lastCallAt: string; readonly version: { readonly id: string; readonly sequenceNumber: number; readonly tags: readonly ({ readonly id: string; readonly name: string })[] }; readonly total: { readonly callCount: number; readonly errorCount: number; readonly latencyMsP50: number | null; readonly latencyMsP95: number | null; readonly promptTokenCount: number; readonly completionTokenCount: number; readonly cost: number | null; readonly scores: readonly ({ readonly name: string; readonly callCount: number; readonly meanScore: number })[] }; readonly data: readonly ({ readonly timestamp: string; readonly calls: { readonly callCount: number; readonly errorCount: number; readonly latencyMsP50: number | null; readonly latencyMsP95: number | null; readonly promptTokenCount: number; readonly completionTokenCount: number; readonly cost: number | null; readonly scores: readonly ({ readonly name: string; readonly callCount: number; readonly meanScore: number })[] } })[] })[] } } | { readonly __typename: 'another' } };

export type PromptUsageVariables = { readonly id: string; readonly timeRange: { readonly start?: string | null; readonly end?: string | null }; readonly timeBinConfig?: { readonly scale?: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'; readonly scaleCount?: number; readonly utcOffsetMinutes?: number; readonly timeZone?: string | null } | null; readonly projectId?: string | null };

export const promptUsage: Operation<PromptUsageData, PromptUsageVariables> = {
  name: 'promptUsage',
  text: "query promptUsage($id:ID!$timeRange:TimeRange!$timeBinConfig:TimeBinConfig$projectId:ID){node(id:$id){__typename ...on Prompt{id usage(timeRange:$timeRange timeBinConfig:$timeBinConfig projectId:$projectId){binStarts projects{callCount project{id name}}versions{filterCondition firstCallAt lastCallAt version{id sequenceNumber tags{id name}}total{...promptCalls}data{timestamp calls{...promptCalls}}}}}}}fragment promptCalls on PromptCalls{callCount errorCount latencyMsP50 latencyMsP95 promptTokenCount completionTokenCount cost scores{name callCount meanScore}}",
};

export type SetPromptTagData = { readonly setPromptVersionTag: { readonly promptVersionTag: { readonly id: string } | null } };

export type SetPromptTagVariables = { readonly input: { readonly promptVersionId: string; readonly name: string; readonly description?: string | null } };

export const setPromptTag: Operation<SetPromptTagData, SetPromptTagVariables> = {
  name: 'setPromptTag',
  text: "mutation setPromptTag($input:SetPromptVersionTagInput!){setPromptVersionTag(input:$input){promptVersionTag{id}}}",
  access: 'member',
};

export type DeletePromptTagData = { readonly deletePromptVersionTag: { readonly prompt: { readonly id: string } } };

export type DeletePromptTagVariables = { readonly id: string };

export const deletePromptTag: Operation<DeletePromptTagData, DeletePromptTagVariables> = {
  name: 'deletePromptTag',
  text: "mutation deletePromptTag($id:ID!){deletePromptVersionTag(input:{promptVersionTagId:$id}){prompt{id}}}",
  access: 'member',
};

export type ClonePromptData = { readonly clonePrompt: { readonly id: string } };

export type ClonePromptVariables = { readonly input: { readonly name: string; readonly promptId: string; readonly promptVersionId?: string | null; readonly description?: string | null; readonly metadata?: unknown | null } };

export const clonePrompt: Operation<ClonePromptData, ClonePromptVariables> = {
  name: 'clonePrompt',
  text: "mutation clonePrompt($input:ClonePromptInput!){clonePrompt(input:$input){id}}",
  access: 'member',
};

export type PatchPromptData = { readonly patchPrompt: { readonly id: string } };

export type PatchPromptVariables = { readonly input: { readonly promptId: string; readonly description?: string | null; readonly metadata?: unknown | null } };

export const patchPrompt: Operation<PatchPromptData, PatchPromptVariables> = {
  name: 'patchPrompt',
  text: "mutation patchPrompt($input:PatchPromptInput!){patchPrompt(input:$input){id}}",
  access: 'member',
};

export type DeletePromptData = { readonly deletePrompt: { readonly __typename: 'DeletePromptMutationPayload' } };

export type DeletePromptVariables = { readonly id: string };

export const deletePrompt: Operation<DeletePromptData, DeletePromptVariables> = {
  name: 'deletePrompt',
  text: "mutation deletePrompt($id:ID!){deletePrompt(input:{promptId:$id}){__typename}}",
  access: 'member',
};
