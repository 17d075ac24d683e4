// Made by scripts/generate-web-types.mjs from ../project.graphql.

import type { Operation } from '../../../data/operation.ts';

export type ProjectHeadData = { readonly node: { readonly __typename: 'Project'; readonly id: string; readonly name: string } | { readonly __typename: 'another' } };

export type ProjectHeadVariables = { readonly id: string };

export const projectHead: Operation<ProjectHeadData, ProjectHeadVariables> = {
  name: 'projectHead',
  text: "query projectHead($id:ID!){node(id:$id){__typename ...on Project{id name}}}",
};

export type ProjectExtentData = { readonly node: { readonly __typename: 'Project'; readonly hasTraces: boolean; readonly endTime: string | null } | { readonly __typename: 'another' } };

export type ProjectExtentVariables = { readonly id: string };

export const projectExtent: Operation<ProjectExtentData, ProjectExtentVariables> = {
  name: 'projectExtent',
  text: "query projectExtent($id:ID!){node(id:$id){__typename ...on Project{hasTraces endTime}}}",
};

export type ProjectSpansData = { readonly node: { readonly __typename: 'Project'; readonly spans: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly spanKind: 'chain' | 'tool' | 'llm' | 'prompt' | 'retriever' | 'embedding' | 'agent' | 'reranker' | 'evaluator' | 'guardrail' | 'unknown'; readonly statusCode: 'OK' | 'ERROR' | 'UNSET'; readonly startTime: string; readonly endTime: string | null; readonly latencyMs: number | null; readonly tokenCountTotal: number | null; readonly cumulativeTokenCountTotal?: number | null; readonly costSummary: { readonly total: { readonly cost: number | null } } | null; readonly context: { readonly traceId: string; readonly spanId: string }; readonly spanAnnotationSummaries?: readonly ({ readonly name: string; readonly meanScore: number | null; readonly labelFractions: readonly ({ readonly label: string; readonly fraction: number })[] })[]; readonly inputPreview: string | null; readonly outputPreview: string | null; readonly statusMessage?: string; readonly userId?: string | null; readonly metadata?: string | null; readonly spanNotes?: readonly ({ readonly explanation: string | null })[]; readonly trace: { readonly id: string; readonly said?: readonly ({ readonly name: string; readonly meanScore: number | null; readonly labelFractions: readonly ({ readonly label: string; readonly fraction: number })[] })[]; readonly latencyMs: number | null; readonly numSpans: number; readonly errorCount: number; readonly tokenUsage?: { readonly total: number }; readonly costSummary?: { readonly total: { readonly cost: number | null } }; readonly session: { readonly id: string; readonly sessionId: string } | null; readonly traceAnnotationSummaries?: readonly ({ readonly name: string; readonly meanScore: number | null; readonly labelFractions: readonly ({ readonly label: string; readonly fraction: number })[] })[] } } })[] } } | { readonly __typename: 'another' } };

export type ProjectSpansVariables = { readonly id: string; readonly first: number; readonly after?: string | null; readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null; readonly sort?: { readonly col?: 'startTime' | 'endTime' | 'latencyMs' | 'tokenCountTotal' | 'tokenCountPrompt' | 'tokenCountCompletion' | 'cumulativeTokenCountTotal' | 'cumulativeTokenCountPrompt' | 'cumulativeTokenCountCompletion' | 'traceLatencyMs' | 'traceTokenCountTotal' | 'tokenCostTotal' | 'cumulativeTokenCostTotal' | null; readonly evalResultKey?: { readonly name: string; readonly attr: 'score' | 'label' } | null; readonly dir: 'asc' | 'desc' } | null; readonly rootSpansOnly: boolean; readonly grain: 'spans' | 'rootSpans' | 'traces' | 'sessions'; readonly isOfTraces: boolean; readonly isOfRoots: boolean; readonly isDetailed: boolean; readonly filterCondition?: string | null };

export const projectSpans: Operation<ProjectSpansData, ProjectSpansVariables> = {
  name: 'projectSpans',
  text: "query projectSpans($id:ID!$first:Int!$after:String$timeRange:TimeRange$sort:SpanSort$rootSpansOnly:Boolean!$grain:RowGrain!$isOfTraces:Boolean!$isOfRoots:Boolean!$isDetailed:Boolean!$filterCondition:String){node(id:$id){__typename ...on Project{spans(first:$first after:$after timeRange:$timeRange sort:$sort rootSpansOnly:$rootSpansOnly orphanSpanAsRootSpan:true grain:$grain filterCondition:$filterCondition){pageInfo{hasNextPage endCursor}edges{node{id name spanKind statusCode startTime endTime latencyMs tokenCountTotal cumulativeTokenCountTotal@include(if:$isOfRoots)costSummary{total{cost}}context{traceId spanId}spanAnnotationSummaries(filter:{exclude:{names:[\"note\"]}})@skip(if:$isOfTraces){name meanScore labelFractions{label fraction}}inputPreview outputPreview statusMessage@include(if:$isDetailed)userId@include(if:$isDetailed)metadata@include(if:$isDetailed)spanNotes@include(if:$isDetailed){explanation}trace{id said:traceAnnotationSummaries(filter:{exclude:{names:[\"note\"]}})@include(if:$isDetailed){name meanScore labelFractions{label fraction}}latencyMs numSpans errorCount tokenUsage@include(if:$isOfTraces){total}costSummary@include(if:$rootSpansOnly){total{cost}}session{id sessionId}traceAnnotationSummaries(filter:{exclude:{names:[\"note\"]}})@include(if:$isOfTraces){name meanScore labelFractions{label fraction}}}}}}}}}",
};

export type ProjectSessionsData = { readonly node: { readonly __typename: 'Project'; readonly sessions: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly sessionId: string; readonly userId: string | null; readonly startTime: string; readonly endTime: string; readonly numTraces: number; readonly numTracesWithError: number; readonly firstInputPreview: string | null; readonly lastOutputPreview: string | null; readonly tokenUsage: { readonly total: number }; readonly costSummary: { readonly total: { readonly cost: number | null } }; readonly p50: number | null; readonly p99: number | null } })[] } } | { readonly __typename: 'another' } };

export type ProjectSessionsVariables = { readonly id: string; readonly first: number; readonly after?: string | null; readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null; readonly sort?: { readonly col?: 'startTime' | 'endTime' | 'tokenCountTotal' | 'numTraces' | 'costTotal' | null; readonly annoResultKey?: { readonly name: string; readonly attr: 'score' | 'label' } | null; readonly dir: 'asc' | 'desc' } | null; readonly filterCondition?: string | null };

export const projectSessions: Operation<ProjectSessionsData, ProjectSessionsVariables> = {
  name: 'projectSessions',
  text: "query projectSessions($id:ID!$first:Int!$after:String$timeRange:TimeRange$sort:ProjectSessionSort$filterCondition:String){node(id:$id){__typename ...on Project{sessions(first:$first after:$after timeRange:$timeRange sort:$sort sessionFilterCondition:$filterCondition){pageInfo{hasNextPage endCursor}edges{node{id sessionId userId startTime endTime numTraces numTracesWithError firstInputPreview lastOutputPreview tokenUsage{total}costSummary{total{cost}}p50:traceLatencyMsQuantile(probability:0.5)p99:traceLatencyMsQuantile(probability:0.99)}}}}}}",
};

export type ProjectFiguresData = { readonly node: { readonly __typename: 'Project'; readonly rowFigures: { readonly sessionCount: number | null; readonly traceCount: number | null; readonly spanCount: number; readonly latencyMsP50: number | null; readonly latencyMsP99: number | null; readonly tokenCountPrompt: number; readonly tokenCountCompletion: number; readonly tokenCountTotal: number; readonly costPrompt: number; readonly costCompletion: number; readonly costTotal: number } } | { readonly __typename: 'another' } };

export type ProjectFiguresVariables = { readonly id: string; readonly grain: 'spans' | 'rootSpans' | 'traces' | 'sessions'; readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null; readonly filterCondition?: string | null; readonly sessionFilterCondition?: string | null; readonly ofMatchingSpans?: boolean | null };

export const projectFigures: Operation<ProjectFiguresData, ProjectFiguresVariables> = {
  name: 'projectFigures',
  text: "query projectFigures($id:ID!$grain:RowGrain!$timeRange:TimeRange$filterCondition:String$sessionFilterCondition:String$ofMatchingSpans:Boolean){node(id:$id){__typename ...on Project{rowFigures(grain:$grain timeRange:$timeRange filterCondition:$filterCondition sessionFilterCondition:$sessionFilterCondition ofMatchingSpans:$ofMatchingSpans){sessionCount traceCount spanCount latencyMsP50 latencyMsP99 tokenCountPrompt tokenCountCompletion tokenCountTotal costPrompt costCompletion costTotal}}}}",
};

export type ProjectSeriesData = { readonly node: { readonly __typename: 'Project'; readonly rowCountTimeSeries: { readonly data: readonly ({ readonly timestamp: string; readonly errorCount: number; readonly totalCount: number })[] } } | { readonly __typename: 'another' } };

export type ProjectSeriesVariables = { readonly id: string; readonly grain: 'spans' | 'rootSpans' | 'traces' | 'sessions'; readonly timeRange: { readonly start?: string | null; readonly end?: string | null }; readonly rowRange: { readonly start?: string | null; readonly end?: string | null }; readonly timeBinConfig: { readonly scale?: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'; readonly scaleCount?: number; readonly utcOffsetMinutes?: number; readonly timeZone?: string | null }; readonly filterCondition?: string | null; readonly sessionFilterCondition?: string | null };

export const projectSeries: Operation<ProjectSeriesData, ProjectSeriesVariables> = {
  name: 'projectSeries',
  text: "query projectSeries($id:ID!$grain:RowGrain!$timeRange:TimeRange!$rowRange:TimeRange!$timeBinConfig:TimeBinConfig!$filterCondition:String$sessionFilterCondition:String){node(id:$id){__typename ...on Project{rowCountTimeSeries(grain:$grain timeRange:$timeRange rowRange:$rowRange timeBinConfig:$timeBinConfig filterCondition:$filterCondition sessionFilterCondition:$sessionFilterCondition){data{timestamp errorCount totalCount}}}}}",
};

export type ProjectFacetsData = { readonly node: { readonly __typename: 'Project'; readonly spanFacets: { readonly rowCount: number; readonly isNewestOnly: boolean; readonly facets: readonly ({ readonly field: 'status' | 'errorInTrace' | 'kind' | 'name' | 'model' | 'user' | 'session' | 'metadata'; readonly key: string | null; readonly values: readonly ({ readonly value: string; readonly isText: boolean; readonly count: number })[] })[] } } | { readonly __typename: 'another' } };

export type ProjectFacetsVariables = { readonly id: string; readonly grain: 'spans' | 'rootSpans' | 'traces' | 'sessions'; readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null; readonly filterCondition?: string | null };

export const projectFacets: Operation<ProjectFacetsData, ProjectFacetsVariables> = {
  name: 'projectFacets',
  text: "query projectFacets($id:ID!$grain:RowGrain!$timeRange:TimeRange$filterCondition:String){node(id:$id){__typename ...on Project{spanFacets(timeRange:$timeRange filterCondition:$filterCondition grain:$grain first:8){rowCount isNewestOnly facets{field key values{value isText count}}}}}}",
};

export type ProjectAnnotationsData = { readonly node: { readonly __typename: 'Project'; readonly spans?: readonly ({ readonly name: string; readonly count: number; readonly meanScore: number | null; readonly labelFractions: readonly ({ readonly label: string; readonly fraction: number })[] })[]; readonly traces?: readonly ({ readonly name: string; readonly count: number; readonly meanScore: number | null; readonly labelFractions: readonly ({ readonly label: string; readonly fraction: number })[] })[]; readonly sessions?: readonly ({ readonly name: string; readonly count: number; readonly meanScore: number | null; readonly labelFractions: readonly ({ readonly label: string; readonly fraction: number })[] })[]; readonly annotationConfigs: { readonly edges: readonly ({ readonly node: { readonly __typename: 'CategoricalAnnotationConfig'; readonly name: string; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly values: readonly ({ readonly score: number | null })[] } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly name: string; readonly optimizationDirection: 'MINIMIZE' | 'MAXIMIZE' | 'NONE'; readonly lowerBound: number | null; readonly upperBound: number | null } | { readonly __typename: 'another' } })[] } } | { readonly __typename: 'another' } };

export type ProjectAnnotationsVariables = { readonly id: string; readonly timeRange?: { readonly start?: string | null; readonly end?: string | null } | null; readonly filterCondition?: string | null; readonly sessionFilterCondition?: string | null; readonly rootSpansOnly: boolean; readonly isOfSpans: boolean; readonly isOfTraces: boolean; readonly isOfSessions: boolean };

export const projectAnnotations: Operation<ProjectAnnotationsData, ProjectAnnotationsVariables> = {
  name: 'projectAnnotations',
  text: "query projectAnnotations($id:ID!$timeRange:TimeRange$filterCondition:String$sessionFilterCondition:String$rootSpansOnly:Boolean!$isOfSpans:Boolean!$isOfTraces:Boolean!$isOfSessions:Boolean!){node(id:$id){__typename ...on Project{spans:spanAnnotationSummaries(timeRange:$timeRange filterCondition:$filterCondition rootSpansOnly:$rootSpansOnly)@include(if:$isOfSpans){...AnnotationFigures}traces:traceAnnotationSummaries(timeRange:$timeRange filterCondition:$filterCondition)@include(if:$isOfTraces){...AnnotationFigures}sessions:sessionAnnotationSummaries(timeRange:$timeRange sessionFilterCondition:$sessionFilterCondition)@include(if:$isOfSessions){...AnnotationFigures}annotationConfigs(first:100){edges{node{__typename ...on CategoricalAnnotationConfig{name optimizationDirection values{score}}...on ContinuousAnnotationConfig{name optimizationDirection lowerBound upperBound}}}}}}}fragment AnnotationFigures on AnnotationSummary{name count meanScore labelFractions{label fraction}}",
};
