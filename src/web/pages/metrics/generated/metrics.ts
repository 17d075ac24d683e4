// Made by scripts/generate-web-types.mjs from ../metrics.graphql.

import type { Operation } from '../../../data/operation.ts';

export type MetricsOfTracesData = { readonly node: { readonly __typename: 'Project'; readonly traceCountByStatusTimeSeries: { readonly data: readonly ({ readonly timestamp: string; readonly okCount: number; readonly errorCount: number })[] }; readonly traceLatencyMsPercentileTimeSeries: { readonly data: readonly ({ readonly p50: number | null; readonly p75: number | null; readonly p90: number | null; readonly p95: number | null; readonly p99: number | null; readonly p999: number | null; readonly max: number | null })[] } } | { readonly __typename: 'another' } };

export type MetricsOfTracesVariables = { readonly id: string; readonly timeRange: { readonly start?: string | null; readonly end?: string | null }; readonly timeBinConfig: { readonly scale?: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'; readonly scaleCount?: number; readonly utcOffsetMinutes?: number; readonly timeZone?: string | null }; readonly filterCondition?: string | null };

export const metricsOfTraces: Operation<MetricsOfTracesData, MetricsOfTracesVariables> = {
  name: 'metricsOfTraces',
  text: "query metricsOfTraces($id:ID!$timeRange:TimeRange!$timeBinConfig:TimeBinConfig!$filterCondition:String){node(id:$id){__typename ...on Project{traceCountByStatusTimeSeries(timeRange:$timeRange timeBinConfig:$timeBinConfig filterCondition:$filterCondition){data{timestamp okCount errorCount}}traceLatencyMsPercentileTimeSeries(timeRange:$timeRange timeBinConfig:$timeBinConfig filterCondition:$filterCondition){data{p50 p75 p90 p95 p99 p999 max}}}}}",
};

export type MetricsOfSpansData = { readonly node: { readonly __typename: 'Project'; readonly all: { readonly data: readonly ({ readonly timestamp: string; readonly okCount: number | null; readonly errorCount: number | null; readonly unsetCount: number | null })[] }; readonly llm: { readonly data: readonly ({ readonly errorCount: number | null; readonly totalCount: number | null })[] }; readonly tool: { readonly data: readonly ({ readonly errorCount: number | null; readonly totalCount: number | null })[] } } | { readonly __typename: 'another' } };

export type MetricsOfSpansVariables = { readonly id: string; readonly timeRange: { readonly start?: string | null; readonly end?: string | null }; readonly timeBinConfig: { readonly scale?: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'; readonly scaleCount?: number; readonly utcOffsetMinutes?: number; readonly timeZone?: string | null }; readonly filterCondition?: string | null; readonly llmFilter: string; readonly toolFilter: string };

export const metricsOfSpans: Operation<MetricsOfSpansData, MetricsOfSpansVariables> = {
  name: 'metricsOfSpans',
  text: "query metricsOfSpans($id:ID!$timeRange:TimeRange!$timeBinConfig:TimeBinConfig!$filterCondition:String$llmFilter:String!$toolFilter:String!){node(id:$id){__typename ...on Project{all:spanCountTimeSeries(timeRange:$timeRange timeBinConfig:$timeBinConfig filterCondition:$filterCondition){data{timestamp okCount errorCount unsetCount}}llm:spanCountTimeSeries(timeRange:$timeRange timeBinConfig:$timeBinConfig filterCondition:$llmFilter){data{errorCount totalCount}}tool:spanCountTimeSeries(timeRange:$timeRange timeBinConfig:$timeBinConfig filterCondition:$toolFilter){data{errorCount totalCount}}}}}",
};

export type MetricsOfCostsData = { readonly node: { readonly __typename: 'Project'; readonly traceTokenCostTimeSeries: { readonly data: readonly ({ readonly timestamp: string; readonly promptCost: number | null; readonly completionCost: number | null })[] }; readonly traceTokenCountTimeSeries: { readonly data: readonly ({ readonly promptTokenCount: number | null; readonly completionTokenCount: number | null; readonly promptTokenCountDetails: readonly ({ readonly tokenType: string; readonly tokenCount: number | null })[]; readonly completionTokenCountDetails: readonly ({ readonly tokenType: string; readonly tokenCount: number | null })[] })[] } } | { readonly __typename: 'another' } };

export type MetricsOfCostsVariables = { readonly id: string; readonly timeRange: { readonly start?: string | null; readonly end?: string | null }; readonly timeBinConfig: { readonly scale?: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'; readonly scaleCount?: number; readonly utcOffsetMinutes?: number; readonly timeZone?: string | null }; readonly filterCondition?: string | null };

export const metricsOfCosts: Operation<MetricsOfCostsData, MetricsOfCostsVariables> = {
  name: 'metricsOfCosts',
  text: "query metricsOfCosts($id:ID!$timeRange:TimeRange!$timeBinConfig:TimeBinConfig!$filterCondition:String){node(id:$id){__typename ...on Project{traceTokenCostTimeSeries(timeRange:$timeRange timeBinConfig:$timeBinConfig filterCondition:$filterCondition){data{timestamp promptCost completionCost}}traceTokenCountTimeSeries(timeRange:$timeRange timeBinConfig:$timeBinConfig filterCondition:$filterCondition){data{promptTokenCount completionTokenCount promptTokenCountDetails{tokenType tokenCount}completionTokenCountDetails{tokenType tokenCount}}}}}}",
};

export type MetricsOfModelsData = { readonly node: { readonly __typename: 'Project'; readonly topModelsByCost: readonly ({ readonly id: string; readonly name: string; readonly costSummary: { readonly total: { readonly cost: number | null } } })[]; readonly topModelsByTokenCount: readonly ({ readonly id: string; readonly name: string; readonly costSummary: { readonly total: { readonly tokens: number | null } } })[] } | { readonly __typename: 'another' } };

export type MetricsOfModelsVariables = { readonly id: string; readonly timeRange: { readonly start?: string | null; readonly end?: string | null }; readonly filterCondition?: string | null };

export const metricsOfModels: Operation<MetricsOfModelsData, MetricsOfModelsVariables> = {
  name: 'metricsOfModels',
  text: "query metricsOfModels($id:ID!$timeRange:TimeRange!$filterCondition:String){node(id:$id){__typename ...on Project{topModelsByCost(timeRange:$timeRange filterCondition:$filterCondition){id name costSummary(projectId:$id timeRange:$timeRange filterCondition:$filterCondition){total{cost}}}topModelsByTokenCount(timeRange:$timeRange filterCondition:$filterCondition){id name costSummary(projectId:$id timeRange:$timeRange filterCondition:$filterCondition){total{tokens}}}}}}",
};

export type MetricsOfToolsData = { readonly node: { readonly __typename: 'Project'; readonly all: { readonly isNewestOnly: boolean; readonly facets: readonly ({ readonly field: 'status' | 'errorInTrace' | 'kind' | 'name' | 'model' | 'user' | 'session' | 'metadata'; readonly values: readonly ({ readonly value: string; readonly count: number })[] })[] }; readonly failed: { readonly facets: readonly ({ readonly field: 'status' | 'errorInTrace' | 'kind' | 'name' | 'model' | 'user' | 'session' | 'metadata'; readonly values: readonly ({ readonly value: string; readonly count: number })[] })[] } } | { readonly __typename: 'another' } };

export type MetricsOfToolsVariables = { readonly id: string; readonly timeRange: { readonly start?: string | null; readonly end?: string | null }; readonly toolFilter: string; readonly failedToolFilter: string };

export const metricsOfTools: Operation<MetricsOfToolsData, MetricsOfToolsVariables> = {
  name: 'metricsOfTools',
  text: "query metricsOfTools($id:ID!$timeRange:TimeRange!$toolFilter:String!$failedToolFilter:String!){node(id:$id){__typename ...on Project{all:spanFacets(timeRange:$timeRange filterCondition:$toolFilter first:6){isNewestOnly facets{field values{value count}}}failed:spanFacets(timeRange:$timeRange filterCondition:$failedToolFilter first:50){facets{field values{value count}}}}}}",
};

export type MetricsOfScoresData = { readonly node: { readonly __typename: 'Project'; readonly spanAnnotationScoreTimeSeries: { readonly names: readonly (string)[]; readonly data: readonly ({ readonly timestamp: string; readonly scoresWithLabels: readonly ({ readonly label: string; readonly score: number })[] })[] }; readonly traceAnnotationScoreTimeSeries: { readonly names: readonly (string)[]; readonly data: readonly ({ readonly timestamp: string; readonly scoresWithLabels: readonly ({ readonly label: string; readonly score: number })[] })[] }; readonly sessionAnnotationScoreTimeSeries: { readonly names: readonly (string)[]; readonly data: readonly ({ readonly timestamp: string; readonly scoresWithLabels: readonly ({ readonly label: string; readonly score: number })[] })[] } } | { readonly __typename: 'another' } };

export type MetricsOfScoresVariables = { readonly id: string; readonly timeRange: { readonly start?: string | null; readonly end?: string | null }; readonly timeBinConfig: { readonly scale?: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'; readonly scaleCount?: number; readonly utcOffsetMinutes?: number; readonly timeZone?: string | null }; readonly filterCondition?: string | null };

export const metricsOfScores: Operation<MetricsOfScoresData, MetricsOfScoresVariables> = {
  name: 'metricsOfScores',
  text: "query metricsOfScores($id:ID!$timeRange:TimeRange!$timeBinConfig:TimeBinConfig!$filterCondition:String){node(id:$id){__typename ...on Project{spanAnnotationScoreTimeSeries(timeRange:$timeRange timeBinConfig:$timeBinConfig filterCondition:$filterCondition){names data{timestamp scoresWithLabels{label score}}}traceAnnotationScoreTimeSeries(timeRange:$timeRange timeBinConfig:$timeBinConfig filterCondition:$filterCondition){names data{timestamp scoresWithLabels{label score}}}sessionAnnotationScoreTimeSeries(timeRange:$timeRange timeBinConfig:$timeBinConfig filterCondition:$filterCondition){names data{timestamp scoresWithLabels{label score}}}}}}",
};
