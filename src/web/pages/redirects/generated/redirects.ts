// Made by scripts/generate-web-types.mjs from ../redirects.graphql.

import type { Operation } from '../../../data/operation.ts';

export type RedirectSpanData = { readonly getSpanByOtelId: { readonly id: string; readonly project: { readonly id: string }; readonly context: { readonly traceId: string } } | null };

export type RedirectSpanVariables = { readonly id: string };

export const redirectSpan: Operation<RedirectSpanData, RedirectSpanVariables> = {
  name: 'redirectSpan',
  text: "query redirectSpan($id:String!){getSpanByOtelId(spanId:$id){id project{id}context{traceId}}}",
};

export type RedirectTraceData = { readonly getTraceByOtelId: { readonly traceId: string; readonly projectId: string } | null };

export type RedirectTraceVariables = { readonly id: string };

export const redirectTrace: Operation<RedirectTraceData, RedirectTraceVariables> = {
  name: 'redirectTrace',
  text: "query redirectTrace($id:String!){getTraceByOtelId(traceId:$id){traceId projectId}}",
};

export type RedirectSessionData = { readonly getProjectSessionById: { readonly id: string; readonly project: { readonly id: string } } | null };

export type RedirectSessionVariables = { readonly id: string };

export const redirectSession: Operation<RedirectSessionData, RedirectSessionVariables> = {
  name: 'redirectSession',
  text: "query redirectSession($id:String!){getProjectSessionById(sessionId:$id){id project{id}}}",
};

export type RedirectProjectData = { readonly getProjectByName: { readonly id: string } | null };

export type RedirectProjectVariables = { readonly id: string };

export const redirectProject: Operation<RedirectProjectData, RedirectProjectVariables> = {
  name: 'redirectProject',
  text: "query redirectProject($id:String!){getProjectByName(name:$id){id}}",
};

export type RedirectExampleData = { readonly getDatasetExampleByExternalId: { readonly id: string } | null };

export type RedirectExampleVariables = { readonly datasetId: string; readonly externalId: string };

export const redirectExample: Operation<RedirectExampleData, RedirectExampleVariables> = {
  name: 'redirectExample',
  text: "query redirectExample($datasetId:ID!$externalId:String!){getDatasetExampleByExternalId(datasetId:$datasetId externalId:$externalId){id}}",
};

export type RedirectPromptTagData = { readonly node: { readonly __typename: 'Prompt'; readonly id: string; readonly version: { readonly id: string } } | { readonly __typename: 'another' } };

export type RedirectPromptTagVariables = { readonly id: string; readonly tagName: string };

export const redirectPromptTag: Operation<RedirectPromptTagData, RedirectPromptTagVariables> = {
  name: 'redirectPromptTag',
  text: "query redirectPromptTag($id:ID!$tagName:Identifier!){node(id:$id){__typename ...on Prompt{id version(tagName:$tagName){id}}}}",
};
