// Made by scripts/generate-web-types.mjs from ../picker.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type StoredPromptData = { readonly node: { readonly __typename: 'Prompt'; readonly id: string; readonly name: string; readonly version: { readonly id: string; readonly sequenceNumber: number; readonly content: unknown; readonly customProvider: { readonly id: string } | null } } | { readonly __typename: 'another' } };

export type StoredPromptVariables = { readonly id: string; readonly versionId?: string | null; readonly tagName?: string | null };

export const storedPrompt: Operation<StoredPromptData, StoredPromptVariables> = {
  name: 'storedPrompt',
  text: "query storedPrompt($id:ID!$versionId:ID$tagName:Identifier){node(id:$id){__typename ...on Prompt{id name version(versionId:$versionId tagName:$tagName){id sequenceNumber content customProvider{id}}}}}",
};

export type StoredPromptsData = { readonly prompts: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly versionCount: number; readonly versionTags: readonly ({ readonly id: string; readonly name: string })[] } })[] } };

export type StoredPromptsVariables = { readonly filter?: { readonly col: 'name'; readonly value: string } | null };

export const storedPrompts: Operation<StoredPromptsData, StoredPromptsVariables> = {
  name: 'storedPrompts',
  text: "query storedPrompts($filter:PromptFilter){prompts(first:30 filter:$filter){edges{node{id name versionCount versionTags{id name}}}}}",
};

export type StoredPromptVersionsData = { readonly node: { readonly __typename: 'Prompt'; readonly id: string; readonly name: string; readonly promptVersions: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly sequenceNumber: number; readonly description: string | null; readonly createdAt: string; readonly tags: readonly ({ readonly id: string; readonly name: string })[] } })[] } } | { readonly __typename: 'another' } };

export type StoredPromptVersionsVariables = { readonly id: string };

export const storedPromptVersions: Operation<StoredPromptVersionsData, StoredPromptVersionsVariables> = {
  name: 'storedPromptVersions',
  text: "query storedPromptVersions($id:ID!){node(id:$id){__typename ...on Prompt{id name promptVersions(first:100){edges{node{id sequenceNumber description createdAt tags{id name}}}}}}}",
};
