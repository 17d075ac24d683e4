// Made by scripts/generate-web-types.mjs from ../onboarding.graphql.

import type { Operation } from '../../../data/operation.ts';

export type FirstTraceData = { readonly node: { readonly __typename: 'Project'; readonly spans: { readonly edges: readonly ({ readonly node: { readonly context: { readonly traceId: string } } })[] } } | { readonly __typename: 'another' } };

export type FirstTraceVariables = { readonly id: string };

export const firstTrace: Operation<FirstTraceData, FirstTraceVariables> = {
  name: 'firstTrace',
  text: "query firstTrace($id:ID!){node(id:$id){__typename ...on Project{spans(first:1 rootSpansOnly:true orphanSpanAsRootSpan:true){edges{node{context{traceId}}}}}}}",
};

export type SampleProjectData = { readonly getProjectByName: { readonly id: string; readonly hasTraces: boolean } | null };

export type SampleProjectVariables = { readonly name: string };

export const sampleProject: Operation<SampleProjectData, SampleProjectVariables> = {
  name: 'sampleProject',
  text: "query sampleProject($name:String!){getProjectByName(name:$name){id hasTraces}}",
};
