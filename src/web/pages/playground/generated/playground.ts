// Made by scripts/generate-web-types.mjs from ../playground.graphql.

import type { Operation } from '../../../data/operation.ts';

export type PlaygroundPromptData = { readonly node: { readonly __typename: 'Prompt'; readonly id: string; readonly name: string; readonly version: { readonly id: string; readonly sequenceNumber: number; readonly content: unknown; readonly customProvider: { readonly id: string } | null } } | { readonly __typename: 'another' } };

export type PlaygroundPromptVariables = { readonly id: string; readonly versionId?: string | null; readonly tagName?: string | null };

export const playgroundPrompt: Operation<PlaygroundPromptData, PlaygroundPromptVariables> = {
  name: 'playgroundPrompt',
  text: "query playgroundPrompt($id:ID!$versionId:ID$tagName:Identifier){node(id:$id){__typename ...on Prompt{id name version(versionId:$versionId tagName:$tagName){id sequenceNumber content customProvider{id}}}}}",
};

export type PlaygroundPromptsData = { readonly prompts: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly versionCount: number; readonly versionTags: readonly ({ readonly id: string; readonly name: string })[] } })[] } };

export type PlaygroundPromptsVariables = { readonly filter?: { readonly col: 'name'; readonly value: string } | null };

export const playgroundPrompts: Operation<PlaygroundPromptsData, PlaygroundPromptsVariables> = {
  name: 'playgroundPrompts',
  text: "query playgroundPrompts($filter:PromptFilter){prompts(first:30 filter:$filter){edges{node{id name versionCount versionTags{id name}}}}}",
};

export type PlaygroundVersionsData = { readonly node: { readonly __typename: 'Prompt'; readonly id: string; readonly name: string; readonly promptVersions: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly sequenceNumber: number; readonly description: string | null; readonly createdAt: string; readonly tags: readonly ({ readonly id: string; readonly name: string })[] } })[] } } | { readonly __typename: 'another' } };

export type PlaygroundVersionsVariables = { readonly id: string };

export const playgroundVersions: Operation<PlaygroundVersionsData, PlaygroundVersionsVariables> = {
  name: 'playgroundVersions',
  text: "query playgroundVersions($id:ID!){node(id:$id){__typename ...on Prompt{id name promptVersions(first:100){edges{node{id sequenceNumber description createdAt tags{id name}}}}}}}",
};

export type CreatePlaygroundPromptData = { readonly createChatPrompt: { readonly id: string; readonly name: string; readonly version: { readonly id: string; readonly sequenceNumber: number } } };

export type CreatePlaygroundPromptVariables = { readonly input: { readonly name: string; readonly description?: string | null; readonly promptVersion: { readonly description?: string | null; readonly templateFormat: 'MUSTACHE' | 'F_STRING' | 'NONE'; readonly template: { readonly messages: readonly ({ readonly role: 'USER' | 'SYSTEM' | 'AI' | 'TOOL'; readonly content: readonly ({ readonly text?: { readonly text: string } | null; readonly toolCall?: { readonly toolCallId: string; readonly toolCall: { readonly type?: string | null; readonly name: string; readonly arguments: string } } | null; readonly toolResult?: { readonly toolCallId: string; readonly result: unknown } | null; readonly image?: { readonly url: string } | null })[] })[] }; readonly invocationParameters: { readonly openai?: { readonly temperature?: number | null; readonly maxTokens?: number | null; readonly maxCompletionTokens?: number | null; readonly frequencyPenalty?: number | null; readonly presencePenalty?: number | null; readonly topP?: number | null; readonly seed?: number | null; readonly stop?: readonly (string)[] | null; readonly reasoningEffort?: 'NONE' | 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH' | 'XHIGH' | null; readonly extraBody?: unknown | null } | null; readonly anthropic?: { readonly maxTokens: number; readonly temperature?: number | null; readonly topP?: number | null; readonly stopSequences?: readonly (string)[] | null; readonly outputConfig?: { readonly effort?: 'LOW' | 'MEDIUM' | 'HIGH' | 'XHIGH' | 'MAX' | null } | null; readonly thinking?: { readonly disabled?: { readonly disabled?: boolean } | null; readonly enabled?: { readonly budgetTokens: number; readonly display?: 'SUMMARIZED' | 'OMITTED' | null } | null; readonly adaptive?: { readonly display?: 'SUMMARIZED' | 'OMITTED' | null } | null } | null; readonly extraBody?: unknown | null } | null; readonly google?: { readonly temperature?: number | null; readonly maxOutputTokens?: number | null; readonly stopSequences?: readonly (string)[] | null; readonly presencePenalty?: number | null; readonly frequencyPenalty?: number | null; readonly topP?: number | null; readonly topK?: number | null; readonly thinkingConfig?: { readonly thinkingBudget?: number | null; readonly thinkingLevel?: 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH' | null; readonly includeThoughts?: boolean | null } | null } | null; readonly aws?: { readonly maxTokens?: number | null; readonly temperature?: number | null; readonly topP?: number | null; readonly stopSequences?: readonly (string)[] | null } | null }; readonly tools?: { readonly tools: readonly ({ readonly function?: { readonly name: string; readonly description?: string | null; readonly parameters?: unknown | null; readonly strict?: boolean | null } | null; readonly raw?: unknown | null })[]; readonly toolChoice?: { readonly none?: boolean | null; readonly zeroOrMore?: boolean | null; readonly oneOrMore?: boolean | null; readonly functionName?: string | null } | null; readonly disableParallelToolCalls?: boolean | null } | null; readonly responseFormat?: { readonly type: string; readonly jsonSchema: { readonly name: string; readonly description?: string | null; readonly schema?: unknown | null; readonly strict?: boolean | null } } | null; readonly modelProvider: 'OPENAI' | 'ANTHROPIC' | 'AZURE_OPENAI' | 'GOOGLE' | 'DEEPSEEK' | 'XAI' | 'OLLAMA' | 'AWS' | 'CEREBRAS' | 'FIREWORKS' | 'GROQ' | 'MOONSHOT' | 'PERPLEXITY' | 'TOGETHER'; readonly modelName: string; readonly customProviderId?: string | null }; readonly metadata?: unknown | null; readonly tags?: readonly ({ readonly name: string; readonly description?: string | null })[] | null } };

export const createPlaygroundPrompt: Operation<CreatePlaygroundPromptData, CreatePlaygroundPromptVariables> = {
  name: 'createPlaygroundPrompt',
  text: "mutation createPlaygroundPrompt($input:CreateChatPromptInput!){createChatPrompt(input:$input){id name version{id sequenceNumber}}}",
  access: 'member',
};

export type CreatePlaygroundVersionData = { readonly createChatPromptVersion: { readonly id: string; readonly name: string; readonly version: { readonly id: string; readonly sequenceNumber: number } } };

export type CreatePlaygroundVersionVariables = { readonly input: { readonly promptId: string; readonly promptVersion: { readonly description?: string | null; readonly templateFormat: 'MUSTACHE' | 'F_STRING' | 'NONE'; readonly template: { readonly messages: readonly ({ readonly role: 'USER' | 'SYSTEM' | 'AI' | 'TOOL'; readonly content: readonly ({ readonly text?: { readonly text: string } | null; readonly toolCall?: { readonly toolCallId: string; readonly toolCall: { readonly type?: string | null; readonly name: string; readonly arguments: string } } | null; readonly toolResult?: { readonly toolCallId: string; readonly result: unknown } | null; readonly image?: { readonly url: string } | null })[] })[] }; readonly invocationParameters: { readonly openai?: { readonly temperature?: number | null; readonly maxTokens?: number | null; readonly maxCompletionTokens?: number | null; readonly frequencyPenalty?: number | null; readonly presencePenalty?: number | null; readonly topP?: number | null; readonly seed?: number | null; readonly stop?: readonly (string)[] | null; readonly reasoningEffort?: 'NONE' | 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH' | 'XHIGH' | null; readonly extraBody?: unknown | null } | null; readonly anthropic?: { readonly maxTokens: number; readonly temperature?: number | null; readonly topP?: number | null; readonly stopSequences?: readonly (string)[] | null; readonly outputConfig?: { readonly effort?: 'LOW' | 'MEDIUM' | 'HIGH' | 'XHIGH' | 'MAX' | null } | null; readonly thinking?: { readonly disabled?: { readonly disabled?: boolean } | null; readonly enabled?: { readonly budgetTokens: number; readonly display?: 'SUMMARIZED' | 'OMITTED' | null } | null; readonly adaptive?: { readonly display?: 'SUMMARIZED' | 'OMITTED' | null } | null } | null; readonly extraBody?: unknown | null } | null; readonly google?: { readonly temperature?: number | null; readonly maxOutputTokens?: number | null; readonly stopSequences?: readonly (string)[] | null; readonly presencePenalty?: number | null; readonly frequencyPenalty?: number | null; readonly topP?: number | null; readonly topK?: number | null; readonly thinkingConfig?: { readonly thinkingBudget?: number | null; readonly thinkingLevel?: 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH' | null; readonly includeThoughts?: boolean | null } | null } | null; readonly aws?: { readonly maxTokens?: number | null; readonly temperature?: number | null; readonly topP?: number | null; readonly stopSequences?: readonly (string)[] | null } | null }; readonly tools?: { readonly tools: readonly ({ readonly function?: { readonly name: string; readonly description?: string | null; readonly parameters?: unknown | null; readonly strict?: boolean | null } | null; readonly raw?: unknown | null })[]; readonly toolChoice?: { readonly none?: boolean | null; readonly zeroOrMore?: boolean | null; readonly oneOrMore?: boolean | null; readonly functionName?: string | null } | null; readonly disableParallelToolCalls?: boolean | null } | null; readonly responseFormat?: { readonly type: string; readonly jsonSchema: { readonly name: string; readonly description?: string | null; readonly schema?: unknown | null; readonly strict?: boolean | null } } | null; readonly modelProvider: 'OPENAI' | 'ANTHROPIC' | 'AZURE_OPENAI' | 'GOOGLE' | 'DEEPSEEK' | 'XAI' | 'OLLAMA' | 'AWS' | 'CEREBRAS' | 'FIREWORKS' | 'GROQ' | 'MOONSHOT' | 'PERPLEXITY' | 'TOGETHER'; readonly modelName: string; readonly customProviderId?: string | null }; readonly tags?: readonly ({ readonly name: string; readonly description?: string | null })[] | null } };

export const createPlaygroundVersion: Operation<CreatePlaygroundVersionData, CreatePlaygroundVersionVariables> = {
  name: 'createPlaygroundVersion',
  text: "mutation createPlaygroundVersion($input:CreateChatPromptVersionInput!){createChatPromptVersion(input:$input){id name version{id sequenceNumber}}}",
  access: 'member',
};

export type PlaygroundDatasetData = { readonly node: { readonly __typename: 'Dataset'; readonly id: string; readonly name: string; readonly exampleCount: number; readonly splits: readonly ({ readonly id: string; readonly name: string; readonly color: string })[]; readonly datasetEvaluators: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly evaluator: { readonly __typename: 'CodeEvaluator'; readonly kind: 'LLM' | 'CODE' | 'BUILTIN' } | { readonly __typename: 'LLMEvaluator'; readonly kind: 'LLM' | 'CODE' | 'BUILTIN' } | { readonly __typename: 'BuiltInEvaluator'; readonly kind: 'LLM' | 'CODE' | 'BUILTIN' } } })[] } } | { readonly __typename: 'another' } };

export type PlaygroundDatasetVariables = { readonly id: string };

export const playgroundDataset: Operation<PlaygroundDatasetData, PlaygroundDatasetVariables> = {
  name: 'playgroundDataset',
  text: "query playgroundDataset($id:ID!){node(id:$id){__typename ...on Dataset{id name exampleCount splits{id name color}datasetEvaluators(first:100){edges{node{id name evaluator{__typename kind}}}}}}}",
};

export type PlaygroundExamplesData = { readonly node: { readonly __typename: 'Dataset'; readonly examples: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly externalId: string | null; readonly revision: { readonly input: unknown; readonly output: unknown; readonly metadata: unknown }; readonly datasetSplits: readonly ({ readonly id: string; readonly name: string; readonly color: string })[] } })[] } } | { readonly __typename: 'another' } };

export type PlaygroundExamplesVariables = { readonly id: string; readonly first: number; readonly after?: string | null; readonly splitIds?: readonly (string)[] | null };

export const playgroundExamples: Operation<PlaygroundExamplesData, PlaygroundExamplesVariables> = {
  name: 'playgroundExamples',
  text: "query playgroundExamples($id:ID!$first:Int!$after:String$splitIds:[ID!]){node(id:$id){__typename ...on Dataset{examples(first:$first after:$after splitIds:$splitIds){pageInfo{hasNextPage endCursor}edges{node{id externalId revision{input output metadata}datasetSplits{id name color}}}}}}}",
};

export type PlaygroundSpansData = { readonly node: { readonly __typename: 'Project'; readonly id: string; readonly name: string; readonly spans: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly spanId: string; readonly context: { readonly traceId: string }; readonly input: { readonly value: string } | null; readonly output: { readonly value: string } | null; readonly replay: { readonly variables: unknown; readonly variablesSource: 'RECORDED' | 'RECOVERED' | 'NONE' } | null } })[] } } | { readonly __typename: 'another' } };

export type PlaygroundSpansVariables = { readonly id: string; readonly first: number; readonly filter?: string | null; readonly promptVersionId?: string | null };

export const playgroundSpans: Operation<PlaygroundSpansData, PlaygroundSpansVariables> = {
  name: 'playgroundSpans',
  text: "query playgroundSpans($id:ID!$first:Int!$filter:String$promptVersionId:ID){node(id:$id){__typename ...on Project{id name spans(first:$first filterCondition:$filter){edges{node{id name spanId context{traceId}input{value}output{value}replay(promptVersionId:$promptVersionId){variables variablesSource}}}}}}}",
};

export type PlaygroundProjectsData = { readonly projects: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string } })[] } };

export type PlaygroundProjectsVariables = Record<string, never>;

export const playgroundProjects: Operation<PlaygroundProjectsData, PlaygroundProjectsVariables> = {
  name: 'playgroundProjects',
  text: "query playgroundProjects{projects(first:200 sort:{col:endTime dir:desc}){edges{node{id name}}}}",
};

export type PlaygroundSpanData = { readonly node: { readonly __typename: 'Span'; readonly id: string; readonly name: string; readonly spanId: string; readonly latencyMs: number | null; readonly context: { readonly traceId: string }; readonly project: { readonly id: string; readonly name: string }; readonly tokenCountPrompt: number | null; readonly tokenCountCompletion: number | null; readonly costSummary: { readonly total: { readonly cost: number | null } } | null; readonly replay: { readonly content: unknown; readonly templateContent: unknown | null; readonly connection: { readonly baseUrl: string | null; readonly azureEndpoint: string | null; readonly openaiApiType: 'CHAT_COMPLETIONS' | 'RESPONSES' | null } | null; readonly variables: unknown; readonly variablesSource: 'RECORDED' | 'RECOVERED' | 'NONE'; readonly output: unknown; readonly warnings: readonly ({ readonly part: 'ATTRIBUTES' | 'INPUT_MESSAGES' | 'OUTPUT_MESSAGES' | 'OUTPUT_VALUE' | 'MODEL' | 'PARAMETERS' | 'RESPONSE_FORMAT' | 'TOOLS' | 'VARIABLES'; readonly message: string })[] } | null } | { readonly __typename: 'another' } };

export type PlaygroundSpanVariables = { readonly id: string; readonly promptVersionId?: string | null };

export const playgroundSpan: Operation<PlaygroundSpanData, PlaygroundSpanVariables> = {
  name: 'playgroundSpan',
  text: "query playgroundSpan($id:ID!$promptVersionId:ID){node(id:$id){__typename ...on Span{id name spanId latencyMs context{traceId}project{id name}tokenCountPrompt tokenCountCompletion costSummary{total{cost}}replay(promptVersionId:$promptVersionId){content templateContent connection{baseUrl azureEndpoint openaiApiType}variables variablesSource output warnings{part message}}}}}",
};
