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
