// Made by scripts/generate-web-types.mjs from ../conversation.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type TraceEndsData = { readonly node: { readonly __typename: 'Span'; readonly statusCode: 'OK' | 'ERROR' | 'UNSET'; readonly statusMessage: string; readonly events: readonly ({ readonly name: string; readonly message: string })[]; readonly input: { readonly mimeType: 'text' | 'json'; readonly value: string } | null; readonly output: { readonly mimeType: 'text' | 'json'; readonly value: string } | null; readonly inputMessages: string | null; readonly outputMessages: string | null } | { readonly __typename: 'another' } };

export type TraceEndsVariables = { readonly id: string };

export const traceEnds: Operation<TraceEndsData, TraceEndsVariables> = {
  name: 'traceEnds',
  text: "query traceEnds($id:ID!){node(id:$id){__typename ...on Span{statusCode statusMessage events{name message}input{mimeType value}output{mimeType value}inputMessages:attribute(path:\"llm.input_messages\")outputMessages:attribute(path:\"llm.output_messages\")}}}",
};

export type StepContentsData = { readonly models: readonly ({ readonly __typename: 'Span'; readonly id: string; readonly statusMessage: string; readonly events: readonly ({ readonly name: string; readonly message: string })[]; readonly output: { readonly mimeType: 'text' | 'json'; readonly value: string } | null; readonly outputMessages: string | null; readonly inputMessages?: string | null } | { readonly __typename: 'another' })[]; readonly others: readonly ({ readonly __typename: 'Span'; readonly id: string; readonly statusMessage: string; readonly events: readonly ({ readonly name: string; readonly message: string })[]; readonly numDocuments: number | null; readonly input: { readonly mimeType: 'text' | 'json'; readonly value: string } | null; readonly output: { readonly mimeType: 'text' | 'json'; readonly value: string } | null; readonly toolCallId: string | null } | { readonly __typename: 'another' })[] };

export type StepContentsVariables = { readonly models: readonly (string)[]; readonly others: readonly (string)[]; readonly withAnswers: boolean };

export const stepContents: Operation<StepContentsData, StepContentsVariables> = {
  name: 'stepContents',
  text: "query stepContents($models:[ID!]!$others:[ID!]!$withAnswers:Boolean!){models:nodes(ids:$models){__typename ...on Span{id statusMessage events{name message}output{mimeType value}outputMessages:attribute(path:\"llm.output_messages\")inputMessages:attribute(path:\"llm.input_messages\")@include(if:$withAnswers)}}others:nodes(ids:$others){__typename ...on Span{id statusMessage events{name message}numDocuments input{mimeType value}output{mimeType value}toolCallId:attribute(path:\"tool_call.id\")}}}",
};
