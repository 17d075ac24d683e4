// Made by scripts/generate-web-types.mjs from ../dashboards.graphql.

import type { Operation } from '../../../data/operation.ts';

export type ProjectDashboardsData = { readonly node: { readonly __typename: 'Project'; readonly id: string; readonly name: string; readonly dashboards: readonly ({ readonly id: string; readonly isBuiltIn: boolean; readonly name: string; readonly description: string; readonly version: number; readonly panels: unknown; readonly revision: number; readonly updatedAt: string | null; readonly user: { readonly username: string } | null })[] } | { readonly __typename: 'another' } };

export type ProjectDashboardsVariables = { readonly id: string };

export const projectDashboards: Operation<ProjectDashboardsData, ProjectDashboardsVariables> = {
  name: 'projectDashboards',
  text: "query projectDashboards($id:ID!){node(id:$id){__typename ...on Project{id name dashboards{id isBuiltIn name description version panels revision updatedAt user{username}}}}}",
};

export type DashboardProjectsData = { readonly projects: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string } })[] } };

export type DashboardProjectsVariables = { readonly name: string };

export const dashboardProjects: Operation<DashboardProjectsData, DashboardProjectsVariables> = {
  name: 'dashboardProjects',
  text: "query dashboardProjects($name:String!){projects(first:50 sort:{col:endTime dir:desc}filter:{col:name value:$name}){edges{node{id name}}}}",
};

export type PanelMetricData = { readonly node: { readonly __typename: 'Project'; readonly spanMetric: { readonly timestamps: readonly (string)[]; readonly total: { readonly spanCount: number; readonly values: readonly (number | null)[]; readonly series: readonly (readonly (number | null)[])[] }; readonly groups: readonly ({ readonly name: string; readonly trace: { readonly traceId: string; readonly rootSpan: { readonly name: string } | null } | null; readonly spanCount: number; readonly values: readonly (number | null)[]; readonly series: readonly (readonly (number | null)[])[] })[]; readonly others: { readonly groupCount: number; readonly spanCount: number; readonly values: readonly (number | null)[]; readonly series: readonly (readonly (number | null)[])[] } | null; readonly ungroupedSpanCount: number } } | { readonly __typename: 'another' } };

export type PanelMetricVariables = { readonly id: string; readonly metric: 'traces' | 'spans' | 'errors' | 'errorRate' | 'latency' | 'tokens' | 'promptTokens' | 'completionTokens' | 'cost' | 'annotation'; readonly aggregates: readonly ('count' | 'sum' | 'mean' | 'p50' | 'p75' | 'p90' | 'p95' | 'p99')[]; readonly annotationName?: string | null; readonly filterCondition?: string | null; readonly groupBy?: { readonly column?: 'name' | 'kind' | 'status' | 'model' | 'provider' | 'user' | 'session' | 'trace' | 'annotation' | null; readonly attribute?: string | null } | null; readonly first: number; readonly timeRange: { readonly start?: string | null; readonly end?: string | null }; readonly timeBinConfig?: { readonly scale?: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'; readonly scaleCount?: number; readonly utcOffsetMinutes?: number; readonly timeZone?: string | null } | null };

export const panelMetric: Operation<PanelMetricData, PanelMetricVariables> = {
  name: 'panelMetric',
  text: "query panelMetric($id:ID!$metric:SpanMetric!$aggregates:[SpanAggregate!]!$annotationName:String$filterCondition:String$groupBy:SpanGroupInput$first:Int!$timeRange:TimeRange!$timeBinConfig:TimeBinConfig){node(id:$id){__typename ...on Project{spanMetric(metric:$metric aggregates:$aggregates annotationName:$annotationName filterCondition:$filterCondition groupBy:$groupBy first:$first timeRange:$timeRange timeBinConfig:$timeBinConfig){timestamps total{spanCount values series}groups{name trace{traceId rootSpan{name}}spanCount values series}others{groupCount spanCount values series}ungroupedSpanCount}}}}",
};

export type PanelFigureData = { readonly node: { readonly __typename: 'Project'; readonly current: { readonly timestamps: readonly (string)[]; readonly total: { readonly spanCount: number; readonly values: readonly (number | null)[]; readonly series: readonly (readonly (number | null)[])[] } }; readonly previous: { readonly total: { readonly values: readonly (number | null)[] } } } | { readonly __typename: 'another' } };

export type PanelFigureVariables = { readonly id: string; readonly metric: 'traces' | 'spans' | 'errors' | 'errorRate' | 'latency' | 'tokens' | 'promptTokens' | 'completionTokens' | 'cost' | 'annotation'; readonly aggregates: readonly ('count' | 'sum' | 'mean' | 'p50' | 'p75' | 'p90' | 'p95' | 'p99')[]; readonly annotationName?: string | null; readonly filterCondition?: string | null; readonly timeRange: { readonly start?: string | null; readonly end?: string | null }; readonly previousRange: { readonly start?: string | null; readonly end?: string | null }; readonly timeBinConfig?: { readonly scale?: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'; readonly scaleCount?: number; readonly utcOffsetMinutes?: number; readonly timeZone?: string | null } | null };

export const panelFigure: Operation<PanelFigureData, PanelFigureVariables> = {
  name: 'panelFigure',
  text: "query panelFigure($id:ID!$metric:SpanMetric!$aggregates:[SpanAggregate!]!$annotationName:String$filterCondition:String$timeRange:TimeRange!$previousRange:TimeRange!$timeBinConfig:TimeBinConfig){node(id:$id){__typename ...on Project{current:spanMetric(metric:$metric aggregates:$aggregates annotationName:$annotationName filterCondition:$filterCondition timeRange:$timeRange timeBinConfig:$timeBinConfig){timestamps total{spanCount values series}}previous:spanMetric(metric:$metric aggregates:$aggregates annotationName:$annotationName filterCondition:$filterCondition timeRange:$previousRange){total{values}}}}}",
};

export type PanelWordsData = { readonly node: { readonly __typename: 'Project'; readonly spanAnnotationNames: readonly (string)[]; readonly traceFilterVocabulary: readonly ({ readonly name: string })[] } | { readonly __typename: 'another' } };

export type PanelWordsVariables = { readonly id: string };

export const panelWords: Operation<PanelWordsData, PanelWordsVariables> = {
  name: 'panelWords',
  text: "query panelWords($id:ID!){node(id:$id){__typename ...on Project{spanAnnotationNames traceFilterVocabulary{name}}}}",
};

export type CreateDashboardData = { readonly createDashboard: { readonly id: string; readonly revision: number } };

export type CreateDashboardVariables = { readonly input: { readonly projectId: string; readonly name: string; readonly description?: string; readonly version?: number; readonly panels: unknown } };

export const createDashboard: Operation<CreateDashboardData, CreateDashboardVariables> = {
  name: 'createDashboard',
  text: "mutation createDashboard($input:CreateDashboardInput!){createDashboard(input:$input){id revision}}",
  access: 'member',
};

export type PatchDashboardData = { readonly patchDashboard: { readonly id: string; readonly revision: number } };

export type PatchDashboardVariables = { readonly input: { readonly id: string; readonly revision: number; readonly name?: string | null; readonly description?: string | null; readonly version?: number; readonly panels?: unknown | null } };

export const patchDashboard: Operation<PatchDashboardData, PatchDashboardVariables> = {
  name: 'patchDashboard',
  text: "mutation patchDashboard($input:PatchDashboardInput!){patchDashboard(input:$input){id revision}}",
  access: 'member',
};

export type DeleteDashboardData = { readonly deleteDashboard: { readonly id: string } };

export type DeleteDashboardVariables = { readonly id: string };

export const deleteDashboard: Operation<DeleteDashboardData, DeleteDashboardVariables> = {
  name: 'deleteDashboard',
  text: "mutation deleteDashboard($id:ID!){deleteDashboard(id:$id){id}}",
  access: 'member',
};
