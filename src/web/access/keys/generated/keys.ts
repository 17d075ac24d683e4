// Made by scripts/generate-web-types.mjs from ../keys.graphql.

import type { Operation } from '../../../data/operation.ts';

export type CreateUserKeyData = { readonly created: { readonly jwt: string } };

export type CreateUserKeyVariables = { readonly input: { readonly name: string; readonly description?: string | null; readonly expiresAt?: string | null; readonly scope?: 'ALL' | 'READ' | 'SEND' | 'SCIM' | null; readonly projects?: readonly (string)[] | null } };

export const createUserKey: Operation<CreateUserKeyData, CreateUserKeyVariables> = {
  name: 'createUserKey',
  text: "mutation createUserKey($input:CreateUserApiKeyInput!){created:createUserApiKey(input:$input){jwt}}",
  access: 'person',
};

export type CreateSystemKeyData = { readonly created: { readonly jwt: string } };

export type CreateSystemKeyVariables = { readonly input: { readonly name: string; readonly description?: string | null; readonly expiresAt?: string | null; readonly scope?: 'ALL' | 'READ' | 'SEND' | 'SCIM' | null; readonly projects?: readonly (string)[] | null } };

export const createSystemKey: Operation<CreateSystemKeyData, CreateSystemKeyVariables> = {
  name: 'createSystemKey',
  text: "mutation createSystemKey($input:CreateApiKeyInput!){created:createSystemApiKey(input:$input){jwt}}",
  access: 'strictAdmin',
};

export type DeleteUserKeyData = { readonly deleteUserApiKey: { readonly __typename: 'DeleteApiKeyMutationPayload' } };

export type DeleteUserKeyVariables = { readonly id: string };

export const deleteUserKey: Operation<DeleteUserKeyData, DeleteUserKeyVariables> = {
  name: 'deleteUserKey',
  text: "mutation deleteUserKey($id:ID!){deleteUserApiKey(input:{id:$id}){__typename}}",
  access: 'person',
};

export type DeleteSystemKeyData = { readonly deleteSystemApiKey: { readonly __typename: 'DeleteApiKeyMutationPayload' } };

export type DeleteSystemKeyVariables = { readonly id: string };

export const deleteSystemKey: Operation<DeleteSystemKeyData, DeleteSystemKeyVariables> = {
  name: 'deleteSystemKey',
  text: "mutation deleteSystemKey($id:ID!){deleteSystemApiKey(input:{id:$id}){__typename}}",
  access: 'strictAdmin',
};

export type KeyProjectsData = { readonly projects: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string } })[] } };

export type KeyProjectsVariables = Record<string, never>;

export const keyProjects: Operation<KeyProjectsData, KeyProjectsVariables> = {
  name: 'keyProjects',
  text: "query keyProjects{projects(first:1000 sort:{col:name dir:asc}){edges{node{id name}}}}",
};
