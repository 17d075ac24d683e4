// Made by scripts/generate-web-types.mjs from ../filter.graphql.

import type { Operation } from '../../../data/operation.ts';

export type ValidateSpanFilterData = { readonly node: { readonly __typename: 'Project'; readonly validateSpanFilterCondition: { readonly isValid: boolean; readonly errorMessage: string | null; readonly warnings: readonly (string)[] } } | { readonly __typename: 'another' } };

export type ValidateSpanFilterVariables = { readonly id: string; readonly condition: string };

export const validateSpanFilter: Operation<ValidateSpanFilterData, ValidateSpanFilterVariables> = {
  name: 'validateSpanFilter',
  text: "query validateSpanFilter($id:ID!$condition:String!){node(id:$id){__typename ...on Project{validateSpanFilterCondition(condition:$condition){isValid errorMessage warnings}}}}",
};

export type ValidateSessionFilterData = { readonly node: { readonly __typename: 'Project'; readonly validateSessionFilterCondition: { readonly isValid: boolean; readonly errorMessage: string | null; readonly warnings: readonly (string)[] } } | { readonly __typename: 'another' } };

export type ValidateSessionFilterVariables = { readonly id: string; readonly condition: string };

export const validateSessionFilter: Operation<ValidateSessionFilterData, ValidateSessionFilterVariables> = {
  name: 'validateSessionFilter',
  text: "query validateSessionFilter($id:ID!$condition:String!){node(id:$id){__typename ...on Project{validateSessionFilterCondition(condition:$condition){isValid errorMessage warnings}}}}",
};

export type SpanFilterWordsData = { readonly node: { readonly __typename: 'Project'; readonly spanAnnotationNames: readonly (string)[]; readonly traceAnnotationsNames: readonly (string)[]; readonly traceFilterVocabulary: readonly ({ readonly name: string })[] } | { readonly __typename: 'another' } };

export type SpanFilterWordsVariables = { readonly id: string };

export const spanFilterWords: Operation<SpanFilterWordsData, SpanFilterWordsVariables> = {
  name: 'spanFilterWords',
  text: "query spanFilterWords($id:ID!){node(id:$id){__typename ...on Project{spanAnnotationNames traceAnnotationsNames traceFilterVocabulary{name}}}}",
};

export type SessionFilterWordsData = { readonly node: { readonly __typename: 'Project'; readonly sessionFilterVocabulary: readonly ({ readonly name: string; readonly description: string; readonly iterableName: string | null })[] } | { readonly __typename: 'another' } };

export type SessionFilterWordsVariables = { readonly id: string };

export const sessionFilterWords: Operation<SessionFilterWordsData, SessionFilterWordsVariables> = {
  name: 'sessionFilterWords',
  text: "query sessionFilterWords($id:ID!){node(id:$id){__typename ...on Project{sessionFilterVocabulary{name description iterableName}}}}",
};

export type ValidateRunFilterData = { readonly validation: { readonly isValid: boolean; readonly errorMessage: string | null } };

export type ValidateRunFilterVariables = { readonly condition: string; readonly experimentIds: readonly (string)[] };

export const validateRunFilter: Operation<ValidateRunFilterData, ValidateRunFilterVariables> = {
  name: 'validateRunFilter',
  text: "query validateRunFilter($condition:String!$experimentIds:[ID!]!){validation:validateExperimentRunFilterCondition(condition:$condition experimentIds:$experimentIds){isValid errorMessage}}",
};
