// Made by scripts/generate-web-types.mjs from ../session.graphql.

import type { Operation } from '../../../data/operation.ts';

export type SessionHeadData = { readonly node: { readonly __typename: 'ProjectSession'; readonly id: string; readonly sessionId: string; readonly userId: string | null; readonly startTime: string; readonly endTime: string; readonly numTraces: number; readonly numTracesWithError: number; readonly project: { readonly id: string; readonly name: string }; readonly tokenUsage: { readonly prompt: number; readonly completion: number; readonly total: number }; readonly costSummary: { readonly total: { readonly cost: number | null } }; readonly p50: number | null } | { readonly __typename: 'another' } };

export type SessionHeadVariables = { readonly id: string };

export const sessionHead: Operation<SessionHeadData, SessionHeadVariables> = {
  name: 'sessionHead',
  text: "query sessionHead($id:ID!){node(id:$id){__typename ...on ProjectSession{id sessionId userId startTime endTime numTraces numTracesWithError project{id name}tokenUsage{prompt completion total}costSummary{total{cost}}p50:traceLatencyMsQuantile(probability:0.5)}}}",
};

export type SessionTurnsData = { readonly node: { readonly __typename: 'ProjectSession'; readonly traces: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly traceId: string; readonly startTime: string; readonly latencyMs: number | null; readonly numSpans: number; readonly errorCount: number; readonly tokenUsage: { readonly total: number }; readonly costSummary: { readonly total: { readonly cost: number | null } }; readonly annotations: readonly ({ readonly id: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label: string | null; readonly score: number | null; readonly explanation: string | null; readonly source: 'API' | 'APP'; readonly identifier: string; readonly createdAt: string; readonly updatedAt: string; readonly user: { readonly id: string; readonly username: string } | null })[]; readonly rootSpan: { readonly id: string; readonly name: string; readonly statusCode: 'OK' | 'ERROR' | 'UNSET'; readonly statusMessage: string; readonly events: readonly ({ readonly name: string; readonly message: string })[]; readonly inputMessages: string | null; readonly outputMessages: string | null; readonly annotations: readonly ({ readonly id: string; readonly name: string; readonly annotatorKind: 'LLM' | 'HUMAN' | 'CODE'; readonly label: string | null; readonly score: number | null; readonly explanation: string | null; readonly source: 'API' | 'APP'; readonly identifier: string; readonly createdAt: string; readonly updatedAt: string; readonly user: { readonly id: string; readonly username: string } | null })[]; readonly input: { readonly mimeType: 'text' | 'json'; readonly value: string } | null; readonly output: { readonly mimeType: 'text' | 'json'; readonly value: string } | null } | null } })[] } } | { readonly __typename: 'another' } };

export type SessionTurnsVariables = { readonly id: string; readonly first: number; readonly after?: string | null };

export const sessionTurns: Operation<SessionTurnsData, SessionTurnsVariables> = {
  name: 'sessionTurns',
  text: "query sessionTurns($id:ID!$first:Int!$after:String){node(id:$id){__typename ...on ProjectSession{traces(first:$first after:$after){pageInfo{hasNextPage endCursor}edges{node{id traceId startTime latencyMs numSpans errorCount tokenUsage{total}costSummary{total{cost}}annotations:traceAnnotations(sort:{col:createdAt dir:asc}filter:{exclude:{names:[\"note\"]}}){...annotation}rootSpan{id name statusCode statusMessage events{name message}inputMessages:attribute(path:\"llm.input_messages\")outputMessages:attribute(path:\"llm.output_messages\")annotations:spanAnnotations(sort:{col:createdAt dir:asc}filter:{exclude:{names:[\"note\"]}}){...annotation}input{mimeType value}output{mimeType value}}}}}}}}fragment annotation on Annotation{...on Node{id}name annotatorKind label score explanation source identifier createdAt updatedAt user{id username}}",
};
