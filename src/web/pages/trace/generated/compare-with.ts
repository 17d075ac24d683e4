// Made by scripts/generate-web-types.mjs from ../compare-with.graphql.

import type { Operation } from '../../../data/operation.ts';

export type CandidatesData = { readonly node: { readonly __typename: 'Project'; readonly spans: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly startTime: string; readonly latencyMs: number | null; readonly statusCode: 'OK' | 'ERROR' | 'UNSET'; readonly tokenCountTotal?: number | null; readonly inputPreview: string | null; readonly outputPreview: string | null; readonly trace: { readonly id: string; readonly tokenUsage?: { readonly total: number } } } })[] } } | { readonly __typename: 'another' } };

export type CandidatesVariables = { readonly projectId: string; readonly filterCondition: string; readonly isRoots: boolean };

export const candidates: Operation<CandidatesData, CandidatesVariables> = {
  name: 'candidates',
  text: "query candidates($projectId:ID!$filterCondition:String!$isRoots:Boolean!){node(id:$projectId){__typename ...on Project{spans(first:20 sort:{col:startTime dir:desc}rootSpansOnly:$isRoots orphanSpanAsRootSpan:true filterCondition:$filterCondition){edges{node{id startTime latencyMs statusCode tokenCountTotal@skip(if:$isRoots)inputPreview outputPreview trace{id tokenUsage@include(if:$isRoots){total}}}}}}}}",
};

export type IdOfOtelTraceData = { readonly getTraceByOtelId: { readonly id: string } | null };

export type IdOfOtelTraceVariables = { readonly id: string };

export const idOfOtelTrace: Operation<IdOfOtelTraceData, IdOfOtelTraceVariables> = {
  name: 'idOfOtelTrace',
  text: "query idOfOtelTrace($id:String!){getTraceByOtelId(traceId:$id){id}}",
};

export type IdOfOtelSpanData = { readonly getSpanByOtelId: { readonly id: string } | null };

export type IdOfOtelSpanVariables = { readonly id: string };

export const idOfOtelSpan: Operation<IdOfOtelSpanData, IdOfOtelSpanVariables> = {
  name: 'idOfOtelSpan',
  text: "query idOfOtelSpan($id:String!){getSpanByOtelId(spanId:$id){id}}",
};
