// Made by scripts/generate-web-types.mjs from ../prompts.graphql.

import type { Operation } from '../../../data/operation.ts';

export type PromptListData = { readonly prompts: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly description: string | null; readonly metadata: unknown; readonly createdAt: string; readonly updatedAt: string; readonly versionCount: number; readonly createdBy: { readonly username: string } | null; readonly updatedBy: { readonly username: string } | null; readonly labels: readonly ({ readonly id: string; readonly name: string; readonly color: string | null; readonly description: string | null })[]; readonly versionTags: readonly ({ readonly id: string; readonly name: string; readonly promptVersionId: string })[]; readonly promptVersions: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly sequenceNumber: number; readonly modelName: string; readonly modelProvider: 'OPENAI' | 'AZURE_OPENAI' | 'ANTHROPIC' | 'GOOGLE' | 'DEEPSEEK' | 'XAI' | 'OLLAMA' | 'AWS' | 'CEREBRAS' | 'FIREWORKS' | 'GROQ' | 'MOONSHOT' | 'PERPLEXITY' | 'TOGETHER'; readonly createdAt: string } })[] } } })[] } };

export type PromptListVariables = { readonly first: number; readonly after?: string | null; readonly filter?: { readonly col: 'name'; readonly value: string } | null; readonly labelIds?: readonly (string)[] | null };

export const promptList: Operation<PromptListData, PromptListVariables> = {
  name: 'promptList',
  text: "query promptList($first:Int!$after:String$filter:PromptFilter$labelIds:[ID!]){prompts(first:$first after:$after filter:$filter labelIds:$labelIds){pageInfo{hasNextPage endCursor}edges{node{id name description metadata createdAt updatedAt versionCount createdBy{username}updatedBy{username}labels{id name color description}versionTags{id name promptVersionId}promptVersions(first:1){edges{node{id sequenceNumber modelName modelProvider createdAt}}}}}}}",
};
