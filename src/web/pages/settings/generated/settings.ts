// Made by scripts/generate-web-types.mjs from ../settings.graphql.

import type { Operation } from '../../../data/operation.ts';

export type SettingsModelsData = { readonly generativeModels: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly namePattern: string; readonly kind: 'CUSTOM' | 'BUILT_IN'; readonly provider: string | null; readonly startTime: string | null; readonly tokenPrices: readonly ({ readonly tokenType: string; readonly kind: 'PROMPT' | 'COMPLETION'; readonly costPerMillionTokens: number })[] } })[] } };

export type SettingsModelsVariables = { readonly after?: string | null };

export const settingsModels: Operation<SettingsModelsData, SettingsModelsVariables> = {
  name: 'settingsModels',
  text: "query settingsModels($after:String){generativeModels(first:500 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name namePattern kind provider startTime tokenPrices{tokenType kind costPerMillionTokens}}}}}",
};

export type CreateModelData = { readonly createModel: { readonly __typename: 'CreateModelMutationPayload' } };

export type CreateModelVariables = { readonly input: { readonly name: string; readonly provider?: string | null; readonly namePattern: string; readonly costs: readonly ({ readonly tokenType: string; readonly costPerMillionTokens: number; readonly kind: 'PROMPT' | 'COMPLETION' })[]; readonly startTime?: string | null } };

export const createModel: Operation<CreateModelData, CreateModelVariables> = {
  name: 'createModel',
  text: "mutation createModel($input:CreateModelMutationInput!){createModel(input:$input){__typename}}",
  access: 'member',
};

export type UpdateModelData = { readonly updateModel: { readonly __typename: 'UpdateModelMutationPayload' } };

export type UpdateModelVariables = { readonly input: { readonly id: string; readonly name: string; readonly provider?: string | null; readonly namePattern: string; readonly costs: readonly ({ readonly tokenType: string; readonly costPerMillionTokens: number; readonly kind: 'PROMPT' | 'COMPLETION' })[]; readonly startTime?: string | null } };

export const updateModel: Operation<UpdateModelData, UpdateModelVariables> = {
  name: 'updateModel',
  text: "mutation updateModel($input:UpdateModelMutationInput!){updateModel(input:$input){__typename}}",
  access: 'member',
};

export type DeleteModelData = { readonly deleteModel: { readonly __typename: 'DeleteModelMutationPayload' } };

export type DeleteModelVariables = { readonly id: string };

export const deleteModel: Operation<DeleteModelData, DeleteModelVariables> = {
  name: 'deleteModel',
  text: "mutation deleteModel($id:ID!){deleteModel(input:{id:$id}){__typename}}",
  access: 'member',
};

export type SettingsConfigsData = { readonly annotationConfigs: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly label: string; readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'FreeformAnnotationConfig'; readonly id: string; readonly name: string; readonly description: string | null; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly threshold: number | null; readonly lowerBound: number | null; readonly upperBound: number | null } })[] } };

export type SettingsConfigsVariables = { readonly after?: string | null };

export const settingsConfigs: Operation<SettingsConfigsData, SettingsConfigsVariables> = {
  name: 'settingsConfigs',
  text: "query settingsConfigs($after:String){annotationConfigs(first:500 after:$after){pageInfo{hasNextPage endCursor}edges{node{...annotationConfig}}}}fragment annotationConfig on AnnotationConfig{__typename ...on CategoricalAnnotationConfig{id name description optimizationDirection values{label score}}...on ContinuousAnnotationConfig{id name description optimizationDirection lowerBound upperBound}...on FreeformAnnotationConfig{id name description optimizationDirection threshold lowerBound upperBound}}",
};

export type SettingsConfigProjectsData = { readonly projects: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly id: string } })[] } } })[] } };

export type SettingsConfigProjectsVariables = { readonly after?: string | null };

export const settingsConfigProjects: Operation<SettingsConfigProjectsData, SettingsConfigProjectsVariables> = {
  name: 'settingsConfigProjects',
  text: "query settingsConfigProjects($after:String){projects(first:200 after:$after sort:{col:name dir:asc}){pageInfo{hasNextPage endCursor}edges{node{id name annotationConfigs(first:500){edges{node{...on Node{id}}}}}}}}",
};

export type DeleteConfigData = { readonly deleteAnnotationConfigs: { readonly __typename: 'DeleteAnnotationConfigsPayload' } };

export type DeleteConfigVariables = { readonly id: string };

export const deleteConfig: Operation<DeleteConfigData, DeleteConfigVariables> = {
  name: 'deleteConfig',
  text: "mutation deleteConfig($id:ID!){deleteAnnotationConfigs(input:{ids:[$id]}){__typename}}",
  access: 'member',
};

export type AssignConfigData = { readonly addAnnotationConfigToProject: { readonly __typename: 'AddAnnotationConfigToProjectPayload' } };

export type AssignConfigVariables = { readonly input: readonly ({ readonly projectId: string; readonly annotationConfigId: string })[] };

export const assignConfig: Operation<AssignConfigData, AssignConfigVariables> = {
  name: 'assignConfig',
  text: "mutation assignConfig($input:[AddAnnotationConfigToProjectInput!]!){addAnnotationConfigToProject(input:$input){__typename}}",
  access: 'member',
};

export type UnassignConfigData = { readonly removeAnnotationConfigFromProject: { readonly __typename: 'RemoveAnnotationConfigFromProjectPayload' } };

export type UnassignConfigVariables = { readonly input: readonly ({ readonly projectId: string; readonly annotationConfigId: string })[] };

export const unassignConfig: Operation<UnassignConfigData, UnassignConfigVariables> = {
  name: 'unassignConfig',
  text: "mutation unassignConfig($input:[RemoveAnnotationConfigFromProjectInput!]!){removeAnnotationConfigFromProject(input:$input){__typename}}",
  access: 'member',
};

export type SettingsDefaultPolicyData = { readonly defaultProjectTraceRetentionPolicy: { readonly id: string } };

export type SettingsDefaultPolicyVariables = Record<string, never>;

export const settingsDefaultPolicy: Operation<SettingsDefaultPolicyData, SettingsDefaultPolicyVariables> = {
  name: 'settingsDefaultPolicy',
  text: "query settingsDefaultPolicy{defaultProjectTraceRetentionPolicy{id}}",
};

export type SettingsRetentionData = { readonly projectTraceRetentionPolicies: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly cronExpression: unknown; readonly rule: { readonly __typename: 'TraceRetentionRuleMaxDays'; readonly maxDays: number } | { readonly __typename: 'TraceRetentionRuleMaxCount'; readonly maxCount: number } | { readonly __typename: 'TraceRetentionRuleMaxDaysOrCount'; readonly maxDays: number; readonly maxCount: number } } })[] } };

export type SettingsRetentionVariables = { readonly after?: string | null };

export const settingsRetention: Operation<SettingsRetentionData, SettingsRetentionVariables> = {
  name: 'settingsRetention',
  text: "query settingsRetention($after:String){projectTraceRetentionPolicies(first:500 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name cronExpression rule{...retentionRule}}}}}fragment retentionRule on TraceRetentionRule{__typename ...on TraceRetentionRuleMaxDays{maxDays}...on TraceRetentionRuleMaxCount{maxCount}...on TraceRetentionRuleMaxDaysOrCount{maxDays maxCount}}",
};

export type SettingsRetentionProjectsData = { readonly projects: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly traceRetentionPolicy: { readonly id: string } } })[] } };

export type SettingsRetentionProjectsVariables = { readonly after?: string | null };

export const settingsRetentionProjects: Operation<SettingsRetentionProjectsData, SettingsRetentionProjectsVariables> = {
  name: 'settingsRetentionProjects',
  text: "query settingsRetentionProjects($after:String){projects(first:1000 after:$after sort:{col:name dir:asc}){pageInfo{hasNextPage endCursor}edges{node{id name traceRetentionPolicy{id}}}}}",
};

export type CreatePolicyData = { readonly createProjectTraceRetentionPolicy: { readonly __typename: 'ProjectTraceRetentionPolicyMutationPayload' } };

export type CreatePolicyVariables = { readonly input: { readonly name: string; readonly cronExpression: unknown; readonly rule: { readonly maxDays?: { readonly maxDays: number } | null; readonly maxCount?: { readonly maxCount: number } | null; readonly maxDaysOrCount?: { readonly maxDays: number; readonly maxCount: number } | null }; readonly addProjects?: readonly (string)[] | null } };

export const createPolicy: Operation<CreatePolicyData, CreatePolicyVariables> = {
  name: 'createPolicy',
  text: "mutation createPolicy($input:CreateProjectTraceRetentionPolicyInput!){createProjectTraceRetentionPolicy(input:$input){__typename}}",
  access: 'admin',
};

export type PatchPolicyData = { readonly patchProjectTraceRetentionPolicy: { readonly __typename: 'ProjectTraceRetentionPolicyMutationPayload' } };

export type PatchPolicyVariables = { readonly input: { readonly id: string; readonly name?: string | null; readonly cronExpression?: unknown | null; readonly rule?: { readonly maxDays?: { readonly maxDays: number } | null; readonly maxCount?: { readonly maxCount: number } | null; readonly maxDaysOrCount?: { readonly maxDays: number; readonly maxCount: number } | null } | null; readonly addProjects?: readonly (string)[] | null; readonly removeProjects?: readonly (string)[] | null } };

export const patchPolicy: Operation<PatchPolicyData, PatchPolicyVariables> = {
  name: 'patchPolicy',
  text: "mutation patchPolicy($input:PatchProjectTraceRetentionPolicyInput!){patchProjectTraceRetentionPolicy(input:$input){__typename}}",
  access: 'admin',
};

export type DeletePolicyData = { readonly deleteProjectTraceRetentionPolicy: { readonly __typename: 'ProjectTraceRetentionPolicyMutationPayload' } };

export type DeletePolicyVariables = { readonly id: string };

export const deletePolicy: Operation<DeletePolicyData, DeletePolicyVariables> = {
  name: 'deletePolicy',
  text: "mutation deletePolicy($id:ID!){deleteProjectTraceRetentionPolicy(input:{id:$id}){__typename}}",
  access: 'admin',
};

export type SettingsStorageData = { readonly dbStorageCapacityBytes: number | null; readonly dbTableStats: readonly ({ readonly tableName: string; readonly numBytes: number })[]; readonly serverStatus: { readonly insufficientStorage: boolean } };

export type SettingsStorageVariables = Record<string, never>;

export const settingsStorage: Operation<SettingsStorageData, SettingsStorageVariables> = {
  name: 'settingsStorage',
  text: "query settingsStorage{dbStorageCapacityBytes dbTableStats{tableName numBytes}serverStatus{insufficientStorage}}",
};

export type SettingsGrowthData = { readonly storageOfProjects: readonly ({ readonly project: { readonly id: string; readonly name: string }; readonly spanCount: number; readonly numBytes: number; readonly numBytesByDay: readonly (number)[] })[] };

export type SettingsGrowthVariables = { readonly days: number };

export const settingsGrowth: Operation<SettingsGrowthData, SettingsGrowthVariables> = {
  name: 'settingsGrowth',
  text: "query settingsGrowth($days:Int!){storageOfProjects(first:7 days:$days){project{id name}spanCount numBytes numBytesByDay}}",
};
