// Made by scripts/generate-web-types.mjs from ../trace.graphql.

import type { Operation } from '../../../data/operation.ts';

export type TraceHeadData = { readonly node: { readonly __typename: 'Project'; readonly name: string; readonly trace: { readonly id: string; readonly traceId: string; readonly startTime: string; readonly latencyMs: number | null; readonly numSpans: number; readonly errorCount: number; readonly costSummary: { readonly total: { readonly cost: number | null } }; readonly session: { readonly id: string; readonly sessionId: string } | null; readonly skeleton: { readonly startTime: string | null; readonly rowIds: readonly number[]; readonly parents: readonly number[]; readonly names: readonly (string)[]; readonly nameIndices: readonly number[]; readonly spanKinds: readonly ('chain' | 'tool' | 'llm' | 'prompt' | 'retriever' | 'embedding' | 'agent' | 'reranker' | 'evaluator' | 'guardrail' | 'unknown')[]; readonly spanKindIndices: readonly number[]; readonly errors: readonly number[]; readonly offsetsMs: readonly number[]; readonly latenciesMs: readonly number[]; readonly tokenCounts: readonly number[]; readonly cumulativeTokenCounts: readonly number[] } } | null } | { readonly __typename: 'another' } };

export type TraceHeadVariables = { readonly projectId: string; readonly traceId: string };

export const traceHead: Operation<TraceHeadData, TraceHeadVariables> = {
  name: 'traceHead',
  text: "query traceHead($projectId:ID!$traceId:ID!){node(id:$projectId){__typename ...on Project{name trace(traceId:$traceId){...traceFacts skeleton{startTime rowIds parents names nameIndices spanKinds spanKindIndices errors offsetsMs latenciesMs tokenCounts cumulativeTokenCounts}}}}}fragment traceFacts on Trace{id traceId startTime latencyMs numSpans errorCount costSummary{total{cost}}session{id sessionId}}",
};

export type TraceFactsNowData = { readonly node: { readonly __typename: 'Trace'; readonly id: string; readonly traceId: string; readonly startTime: string; readonly latencyMs: number | null; readonly numSpans: number; readonly errorCount: number; readonly costSummary: { readonly total: { readonly cost: number | null } }; readonly session: { readonly id: string; readonly sessionId: string } | null } | { readonly __typename: 'another' } };

export type TraceFactsNowVariables = { readonly id: string };

export const traceFactsNow: Operation<TraceFactsNowData, TraceFactsNowVariables> = {
  name: 'traceFactsNow',
  text: "query traceFactsNow($id:ID!){node(id:$id){__typename ...on Trace{...traceFacts}}}fragment traceFacts on Trace{id traceId startTime latencyMs numSpans errorCount costSummary{total{cost}}session{id sessionId}}",
};

export type TraceCostsData = { readonly node: { readonly __typename: 'Trace'; readonly spanCosts: { readonly rowIds: readonly number[]; readonly costs: readonly number[] } } | { readonly __typename: 'another' } };

export type TraceCostsVariables = { readonly id: string };

export const traceCosts: Operation<TraceCostsData, TraceCostsVariables> = {
  name: 'traceCosts',
  text: "query traceCosts($id:ID!){node(id:$id){__typename ...on Trace{spanCosts{rowIds costs}}}}",
};

export type SpanDetailsData = { readonly node: { readonly __typename: 'Span'; readonly id: string; readonly name: string; readonly spanKind: 'chain' | 'tool' | 'llm' | 'prompt' | 'retriever' | 'embedding' | 'agent' | 'reranker' | 'evaluator' | 'guardrail' | 'unknown'; readonly spanId: string; readonly parentId: string | null; readonly context: { readonly traceId: string }; readonly statusCode: 'OK' | 'ERROR' | 'UNSET'; readonly statusMessage: string; readonly startTime: string; readonly endTime: string | null; readonly latencyMs: number | null; readonly userId: string | null; readonly metadata: string | null; readonly costSummary: { readonly prompt: { readonly cost: number | null }; readonly completion: { readonly cost: number | null }; readonly total: { readonly cost: number | null } } | null; readonly costDetailSummaryEntries: readonly ({ readonly tokenType: string; readonly isPrompt: boolean; readonly value: { readonly tokens: number | null; readonly cost: number | null } })[]; readonly tokenCountTotal: number | null; readonly tokenCountPrompt: number | null; readonly tokenCountCompletion: number | null; readonly tokenPromptDetails: { readonly cacheRead: number | null; readonly cacheWrite: number | null; readonly audio: number | null }; readonly input: { readonly mimeType: 'text' | 'json'; readonly value: string } | null; readonly output: { readonly mimeType: 'text' | 'json'; readonly value: string } | null; readonly attributes: string; readonly events: readonly ({ readonly name: string; readonly message: string; readonly timestamp: string; readonly attributes: unknown })[] } | { readonly __typename: 'another' } };

export type SpanDetailsVariables = { readonly id: string };

export const spanDetails: Operation<SpanDetailsData, SpanDetailsVariables> = {
  name: 'spanDetails',
  text: "query spanDetails($id:ID!){node(id:$id){__typename ...on Span{id name spanKind spanId parentId context{traceId}statusCode statusMessage startTime endTime latencyMs userId metadata costSummary{prompt{cost}completion{cost}total{cost}}costDetailSummaryEntries{tokenType isPrompt value{tokens cost}}tokenCountTotal tokenCountPrompt tokenCountCompletion tokenPromptDetails{cacheRead cacheWrite audio}input{mimeType value}output{mimeType value}attributes events{name message timestamp attributes}}}}",
};
