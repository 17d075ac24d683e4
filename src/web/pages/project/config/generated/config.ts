// Made by scripts/generate-web-types.mjs from ../config.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type ProjectConfigData = { readonly node: { readonly __typename: 'Project'; readonly id: string; readonly name: string; readonly description: string | null; readonly gradientStartColor: string; readonly gradientEndColor: string; readonly traceRetentionPolicy: { readonly id: string }; readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly id: string } })[] } } | { readonly __typename: 'another' }; readonly defaultProjectTraceRetentionPolicy: { readonly id: string }; readonly projectTraceRetentionPolicies: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly cronExpression: unknown; readonly rule: { readonly __typename: 'TraceRetentionRuleMaxDays'; readonly maxDays: number } | { readonly __typename: 'TraceRetentionRuleMaxCount'; readonly maxCount: number } | { readonly __typename: 'TraceRetentionRuleMaxDaysOrCount'; readonly maxDays: number; readonly maxCount: number } } })[] } };

export type ProjectConfigVariables = { readonly id: string };

export const projectConfig: Operation<ProjectConfigData, ProjectConfigVariables> = {
  name: 'projectConfig',
  text: "query projectConfig($id:ID!){node(id:$id){__typename ...on Project{id name description gradientStartColor gradientEndColor traceRetentionPolicy{id}annotationConfigs(first:500){edges{node{...on Node{id}}}}}}defaultProjectTraceRetentionPolicy{id}projectTraceRetentionPolicies(first:500){edges{node{id name cronExpression rule{...retentionRule}}}}}fragment retentionRule on TraceRetentionRule{__typename ...on TraceRetentionRuleMaxDays{maxDays}...on TraceRetentionRuleMaxCount{maxCount}...on TraceRetentionRuleMaxDaysOrCount{maxDays maxCount}}",
};

export type ConfigChoicesData = { readonly annotationConfigs: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly label: string; readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'FreeformAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly threshold: number | null; readonly lowerBound: number | null; readonly upperBound: number | null } })[] } };

export type ConfigChoicesVariables = { readonly after?: string | null };

export const configChoices: Operation<ConfigChoicesData, ConfigChoicesVariables> = {
  name: 'configChoices',
  text: "query configChoices($after:String){annotationConfigs(first:500 after:$after){pageInfo{hasNextPage endCursor}edges{node{...annotationConfig}}}}fragment annotationConfig on AnnotationConfig{__typename ...on CategoricalAnnotationConfig{id name description optimizationDirection values{label score}}...on ContinuousAnnotationConfig{id name description optimizationDirection lowerBound upperBound}...on FreeformAnnotationConfig{id name description optimizationDirection threshold lowerBound upperBound}}",
};

export type ProjectAnnotationCountsData = { readonly node: { readonly __typename: 'Project'; readonly span: readonly ({ readonly name: string; readonly count: number })[]; readonly trace: readonly ({ readonly name: string; readonly count: number })[]; readonly session: readonly ({ readonly name: string; readonly count: number })[] } | { readonly __typename: 'another' } };

export type ProjectAnnotationCountsVariables = { readonly id: string };

export const projectAnnotationCounts: Operation<ProjectAnnotationCountsData, ProjectAnnotationCountsVariables> = {
  name: 'projectAnnotationCounts',
  text: "query projectAnnotationCounts($id:ID!){node(id:$id){__typename ...on Project{span:spanAnnotationNameCounts{name count}trace:traceAnnotationNameCounts{name count}session:sessionAnnotationNameCounts{name count}}}}",
};

export type DescribeProjectData = { readonly patchProject: { readonly __typename: 'ProjectMutationPayload' } };

export type DescribeProjectVariables = { readonly input: { readonly id: string; readonly description?: string | null; readonly gradientStartColor?: string | null; readonly gradientEndColor?: string | null } };

export const describeProject: Operation<DescribeProjectData, DescribeProjectVariables> = {
  name: 'describeProject',
  text: "mutation describeProject($input:PatchProjectInput!){patchProject(input:$input){__typename}}",
  access: 'member',
};

export type DetachConfigData = { readonly removeAnnotationConfigFromProject: { readonly __typename: 'RemoveAnnotationConfigFromProjectPayload' } };

export type DetachConfigVariables = { readonly projectId: string; readonly annotationConfigId: string };

export const detachConfig: Operation<DetachConfigData, DetachConfigVariables> = {
  name: 'detachConfig',
  text: "mutation detachConfig($projectId:ID!$annotationConfigId:ID!){removeAnnotationConfigFromProject(input:[{projectId:$projectId annotationConfigId:$annotationConfigId}]){__typename}}",
  access: 'member',
};

export type ChooseRetentionData = { readonly patchProjectTraceRetentionPolicy: { readonly __typename: 'ProjectTraceRetentionPolicyMutationPayload' } };

export type ChooseRetentionVariables = { readonly input: { readonly id: string; readonly name?: string | null; readonly cronExpression?: unknown | null; readonly rule?: { readonly maxDays?: { readonly maxDays: number } | null; readonly maxCount?: { readonly maxCount: number } | null; readonly maxDaysOrCount?: { readonly maxDays: number; readonly maxCount: number } | null } | null; readonly addProjects?: readonly (string)[] | null; readonly removeProjects?: readonly (string)[] | null } };

export const chooseRetention: Operation<ChooseRetentionData, ChooseRetentionVariables> = {
  name: 'chooseRetention',
  text: "mutation chooseRetention($input:PatchProjectTraceRetentionPolicyInput!){patchProjectTraceRetentionPolicy(input:$input){__typename}}",
  access: 'admin',
};

export type DeleteSpanAnnotationsOfNameData = { readonly deleteProjectSpanAnnotations: { readonly deletedAnnotationCount: number } };

export type DeleteSpanAnnotationsOfNameVariables = { readonly input: { readonly projectId: string; readonly annotationName: string; readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null; readonly timeRangeField?: 'ANNOTATION_CREATED_AT' | 'SOURCE_START_TIME' } };

export const deleteSpanAnnotationsOfName: Operation<DeleteSpanAnnotationsOfNameData, DeleteSpanAnnotationsOfNameVariables> = {
  name: 'deleteSpanAnnotationsOfName',
  text: "mutation deleteSpanAnnotationsOfName($input:DeleteProjectAnnotationsInput!){deleteProjectSpanAnnotations(input:$input){deletedAnnotationCount}}",
  access: 'admin',
};

export type DeleteTraceAnnotationsOfNameData = { readonly deleteProjectTraceAnnotations: { readonly deletedAnnotationCount: number } };

export type DeleteTraceAnnotationsOfNameVariables = { readonly input: { readonly projectId: string; readonly annotationName: string; readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null; readonly timeRangeField?: 'ANNOTATION_CREATED_AT' | 'SOURCE_START_TIME' } };

export const deleteTraceAnnotationsOfName: Operation<DeleteTraceAnnotationsOfNameData, DeleteTraceAnnotationsOfNameVariables> = {
  name: 'deleteTraceAnnotationsOfName',
  text: "mutation deleteTraceAnnotationsOfName($input:DeleteProjectAnnotationsInput!){deleteProjectTraceAnnotations(input:$input){deletedAnnotationCount}}",
  access: 'admin',
};

export type DeleteSessionAnnotationsOfNameData = { readonly deleteProjectSessionAnnotations: { readonly deletedAnnotationCount: number } };

export type DeleteSessionAnnotationsOfNameVariables = { readonly input: { readonly projectId: string; readonly annotationName: string; readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null; readonly timeRangeField?: 'ANNOTATION_CREATED_AT' | 'SOURCE_START_TIME' } };

export const deleteSessionAnnotationsOfName: Operation<DeleteSessionAnnotationsOfNameData, DeleteSessionAnnotationsOfNameVariables> = {
  name: 'deleteSessionAnnotationsOfName',
  text: "mutation deleteSessionAnnotationsOfName($input:DeleteProjectAnnotationsInput!){deleteProjectSessionAnnotations(input:$input){deletedAnnotationCount}}",
  access: 'admin',
};

export type ProjectAccessData = { readonly node: { readonly __typename: 'Project'; readonly id: string; readonly name: string; readonly isPrivate: boolean; readonly access: { readonly isEnforced: boolean; readonly viewerLevel: 'READER' | 'EDITOR' | 'OWNER'; readonly members: readonly ({ readonly user: { readonly id: string; readonly username: string; readonly email: string | null } | null; readonly group: string | null; readonly level: 'READER' | 'EDITOR' | 'OWNER' })[] } } | { readonly __typename: 'another' } };

export type ProjectAccessVariables = { readonly id: string };

export const projectAccess: Operation<ProjectAccessData, ProjectAccessVariables> = {
  name: 'projectAccess',
  text: "query projectAccess($id:ID!){node(id:$id){__typename ...on Project{id name isPrivate access{isEnforced viewerLevel members{user{id username email}group level}}}}}",
};

export type SetPrivacyData = { readonly setProjectPrivacy: { readonly __typename: 'ProjectMutationPayload' } };

export type SetPrivacyVariables = { readonly input: { readonly projectId: string; readonly isPrivate: boolean } };

export const setPrivacy: Operation<SetPrivacyData, SetPrivacyVariables> = {
  name: 'setPrivacy',
  text: "mutation setPrivacy($input:SetProjectPrivacyInput!){setProjectPrivacy(input:$input){__typename}}",
  access: 'member',
};

export type SetMemberData = { readonly setProjectMember: { readonly __typename: 'ProjectMutationPayload' } };

export type SetMemberVariables = { readonly input: { readonly projectId: string; readonly userId?: string | null; readonly email?: string | null; readonly group?: string | null; readonly level: 'READER' | 'EDITOR' | 'OWNER' } };

export const setMember: Operation<SetMemberData, SetMemberVariables> = {
  name: 'setMember',
  text: "mutation setMember($input:SetProjectMemberInput!){setProjectMember(input:$input){__typename}}",
  access: 'member',
};

export type RemoveMemberData = { readonly removeProjectMember: { readonly __typename: 'ProjectMutationPayload' } };

export type RemoveMemberVariables = { readonly input: { readonly projectId: string; readonly userId?: string | null; readonly group?: string | null } };

export const removeMember: Operation<RemoveMemberData, RemoveMemberVariables> = {
  name: 'removeMember',
  text: "mutation removeMember($input:RemoveProjectMemberInput!){removeProjectMember(input:$input){__typename}}",
  access: 'member',
};
