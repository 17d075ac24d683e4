// Made by scripts/generate-web-types.mjs from ../models.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type CustomModelProvidersData = { readonly generativeModelCustomProviders: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly sdk: 'OPENAI' | 'AZURE_OPENAI' | 'ANTHROPIC' | 'AWS_BEDROCK' | 'GOOGLE_GENAI'; readonly modelNames: readonly (string)[] } })[] } };

export type CustomModelProvidersVariables = { readonly after?: string | null };

export const customModelProviders: Operation<CustomModelProvidersData, CustomModelProvidersVariables> = {
  name: 'customModelProviders',
  text: "query customModelProviders($after:String){generativeModelCustomProviders(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name sdk modelNames}}}}",
};

export type ModelProvidersData = { readonly modelProviders: readonly ({ readonly key: 'OPENAI' | 'ANTHROPIC' | 'AZURE_OPENAI' | 'GOOGLE' | 'DEEPSEEK' | 'XAI' | 'OLLAMA' | 'AWS' | 'CEREBRAS' | 'FIREWORKS' | 'GROQ' | 'MOONSHOT' | 'PERPLEXITY' | 'TOGETHER'; readonly credentialsSet: boolean; readonly dependenciesInstalled: boolean })[] };

export type ModelProvidersVariables = Record<string, never>;

export const modelProviders: Operation<ModelProvidersData, ModelProvidersVariables> = {
  name: 'modelProviders',
  text: "query modelProviders{modelProviders{key credentialsSet dependenciesInstalled}}",
};

export type ModelNamesData = { readonly playgroundModels: readonly ({ readonly name: string })[] };

export type ModelNamesVariables = { readonly input: { readonly providerKey?: 'OPENAI' | 'ANTHROPIC' | 'AZURE_OPENAI' | 'GOOGLE' | 'DEEPSEEK' | 'XAI' | 'OLLAMA' | 'AWS' | 'CEREBRAS' | 'FIREWORKS' | 'GROQ' | 'MOONSHOT' | 'PERPLEXITY' | 'TOGETHER' | null; readonly modelName?: string | null; readonly openaiApiType?: 'CHAT_COMPLETIONS' | 'RESPONSES' | null } };

export const modelNames: Operation<ModelNamesData, ModelNamesVariables> = {
  name: 'modelNames',
  text: "query modelNames($input:ModelsInput!){playgroundModels(input:$input){name}}",
};

export type ModelParametersData = { readonly modelInvocationParameters: readonly ({ readonly __typename: 'BoundedFloatInvocationParameter'; readonly invocationName: string; readonly label: string; readonly required: boolean; readonly minValue: number; readonly maxValue: number } | { readonly __typename: 'another' })[] };

export type ModelParametersVariables = { readonly input: { readonly providerKey?: 'OPENAI' | 'ANTHROPIC' | 'AZURE_OPENAI' | 'GOOGLE' | 'DEEPSEEK' | 'XAI' | 'OLLAMA' | 'AWS' | 'CEREBRAS' | 'FIREWORKS' | 'GROQ' | 'MOONSHOT' | 'PERPLEXITY' | 'TOGETHER' | null; readonly modelName?: string | null; readonly openaiApiType?: 'CHAT_COMPLETIONS' | 'RESPONSES' | null } };

export const modelParameters: Operation<ModelParametersData, ModelParametersVariables> = {
  name: 'modelParameters',
  text: "query modelParameters($input:ModelsInput!){modelInvocationParameters(input:$input){__typename ...on InvocationParameterBase{invocationName label required}...on BoundedFloatInvocationParameter{minValue maxValue}}}",
};
