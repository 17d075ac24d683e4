// Made by scripts/generate-web-types.mjs from ../providers.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type ProviderStatesData = { readonly modelProviderStates: readonly ({ readonly key: 'OPENAI' | 'ANTHROPIC' | 'AZURE_OPENAI' | 'GOOGLE' | 'DEEPSEEK' | 'XAI' | 'OLLAMA' | 'AWS' | 'CEREBRAS' | 'FIREWORKS' | 'GROQ' | 'MOONSHOT' | 'PERPLEXITY' | 'TOGETHER'; readonly name: string; readonly status: 'READY' | 'OWN_IDENTITY' | 'KEY_MISSING' | 'KEY_UNREADABLE' | 'KEY_BOUND_ELSEWHERE' | 'ADDRESS_MISSING' | 'NOT_ALLOWED'; readonly host: string | null; readonly addressVariable: string | null; readonly isAddressSet: boolean; readonly keys: readonly ({ readonly name: string; readonly isRequired: boolean; readonly isAlternative: boolean; readonly source: 'STORED_SECRET' | 'UNREADABLE_SECRET' | 'ENVIRONMENT' | null })[] })[] };

export type ProviderStatesVariables = Record<string, never>;

export const providerStates: Operation<ProviderStatesData, ProviderStatesVariables> = {
  name: 'providerStates',
  text: "query providerStates{modelProviderStates{key name status host addressVariable isAddressSet keys{name isRequired isAlternative source}}}",
};

export type TestVendorData = { readonly testGenerativeProvider: { readonly error: string | null } };

export type TestVendorVariables = { readonly input: { readonly providerKey: 'OPENAI' | 'ANTHROPIC' | 'AZURE_OPENAI' | 'GOOGLE' | 'DEEPSEEK' | 'XAI' | 'OLLAMA' | 'AWS' | 'CEREBRAS' | 'FIREWORKS' | 'GROQ' | 'MOONSHOT' | 'PERPLEXITY' | 'TOGETHER'; readonly credentials?: readonly ({ readonly envVarName: string; readonly value: unknown })[] | null } };

export const testVendor: Operation<TestVendorData, TestVendorVariables> = {
  name: 'testVendor',
  text: "mutation testVendor($input:TestGenerativeProviderInput!){testGenerativeProvider(input:$input){error}}",
  access: 'member',
};

export type CustomProvidersData = { readonly generativeModelCustomProviders: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string; readonly description: string | null; readonly provider: string; readonly sdk: 'OPENAI' | 'AZURE_OPENAI' | 'ANTHROPIC' | 'AWS_BEDROCK' | 'GOOGLE_GENAI'; readonly updatedAt: string; readonly modelNames: readonly (string)[]; readonly user: { readonly id: string; readonly username: string } | null; readonly config: { readonly __typename: 'OpenAICustomProviderConfig'; readonly openaiAuthenticationMethod: { readonly apiKey: unknown | null }; readonly openaiClientKwargs: { readonly baseUrl: string | null; readonly organization: string | null; readonly project: string | null; readonly defaultHeaders: unknown | null } | null; readonly openaiApiType: 'CHAT_COMPLETIONS' | 'RESPONSES' } | { readonly __typename: 'AzureOpenAICustomProviderConfig'; readonly azureOpenaiAuthenticationMethod: { readonly apiKey: unknown | null; readonly defaultCredentials: boolean | null; readonly azureAdTokenProvider: { readonly azureTenantId: string; readonly azureClientId: string; readonly azureClientSecret: unknown; readonly scope: string } | null }; readonly azureOpenaiClientKwargs: { readonly azureEndpoint: string; readonly defaultHeaders: unknown | null }; readonly openaiApiType: 'CHAT_COMPLETIONS' | 'RESPONSES' } | { readonly __typename: 'AnthropicCustomProviderConfig'; readonly anthropicAuthenticationMethod: { readonly apiKey: unknown | null }; readonly anthropicClientKwargs: { readonly baseUrl: string | null; readonly defaultHeaders: unknown | null } | null } | { readonly __typename: 'AWSBedrockCustomProviderConfig'; readonly awsBedrockAuthenticationMethod: { readonly defaultCredentials: boolean | null; readonly accessKeys: { readonly awsAccessKeyId: string; readonly awsSecretAccessKey: unknown; readonly awsSessionToken: unknown | null } | null }; readonly awsBedrockClientKwargs: { readonly regionName: string; readonly endpointUrl: string | null } } | { readonly __typename: 'GoogleGenAICustomProviderConfig'; readonly googleGenaiAuthenticationMethod: { readonly apiKey: unknown | null }; readonly googleGenaiClientKwargs: { readonly httpOptions: { readonly baseUrl: string | null; readonly headers: unknown | null } | null } | null } | { readonly __typename: 'UnparsableConfig'; readonly parseError: string } } })[] } };

export type CustomProvidersVariables = { readonly after?: string | null };

export const customProviders: Operation<CustomProvidersData, CustomProvidersVariables> = {
  name: 'customProviders',
  text: "query customProviders($after:String){generativeModelCustomProviders(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name description provider sdk updatedAt modelNames user{id username}config{__typename ...on UnparsableConfig{parseError}...on OpenAICustomProviderConfig{openaiAuthenticationMethod{apiKey}openaiClientKwargs{baseUrl organization project defaultHeaders}openaiApiType}...on AzureOpenAICustomProviderConfig{azureOpenaiAuthenticationMethod{apiKey defaultCredentials azureAdTokenProvider{azureTenantId azureClientId azureClientSecret scope}}azureOpenaiClientKwargs{azureEndpoint defaultHeaders}openaiApiType}...on AnthropicCustomProviderConfig{anthropicAuthenticationMethod{apiKey}anthropicClientKwargs{baseUrl defaultHeaders}}...on AWSBedrockCustomProviderConfig{awsBedrockAuthenticationMethod{defaultCredentials accessKeys{awsAccessKeyId awsSecretAccessKey awsSessionToken}}awsBedrockClientKwargs{regionName endpointUrl}}...on GoogleGenAICustomProviderConfig{googleGenaiAuthenticationMethod{apiKey}googleGenaiClientKwargs{httpOptions{baseUrl headers}}}}}}}}",
};

export type CreateCustomProviderData = { readonly createGenerativeModelCustomProvider: { readonly provider: { readonly id: string } } };

export type CreateCustomProviderVariables = { readonly input: { readonly name: string; readonly description?: string | null; readonly provider: string; readonly clientConfig: { readonly openai?: { readonly openaiAuthenticationMethod: { readonly apiKey: unknown }; readonly openaiClientKwargs?: { readonly baseUrl?: string | null; readonly organization?: string | null; readonly project?: string | null; readonly defaultHeaders?: unknown | null } | null; readonly openaiApiType?: 'CHAT_COMPLETIONS' | 'RESPONSES' | null } | null; readonly azureOpenai?: { readonly azureOpenaiAuthenticationMethod: { readonly apiKey?: unknown | null; readonly azureAdTokenProvider?: { readonly azureTenantId: string; readonly azureClientId: string; readonly azureClientSecret: unknown; readonly scope?: string | null } | null; readonly defaultCredentials?: boolean | null }; readonly azureOpenaiClientKwargs: { readonly azureEndpoint: string; readonly defaultHeaders?: unknown | null }; readonly openaiApiType?: 'CHAT_COMPLETIONS' | 'RESPONSES' | null } | null; readonly anthropic?: { readonly anthropicAuthenticationMethod: { readonly apiKey: unknown }; readonly anthropicClientKwargs?: { readonly baseUrl?: string | null; readonly defaultHeaders?: unknown | null } | null } | null; readonly awsBedrock?: { readonly awsBedrockAuthenticationMethod: { readonly accessKeys?: { readonly awsAccessKeyId: string; readonly awsSecretAccessKey: unknown; readonly awsSessionToken?: unknown | null } | null; readonly defaultCredentials?: boolean | null }; readonly awsBedrockClientKwargs: { readonly regionName: string; readonly endpointUrl?: string | null } } | null; readonly googleGenai?: { readonly googleGenaiAuthenticationMethod: { readonly apiKey: unknown }; readonly googleGenaiClientKwargs?: { readonly httpOptions?: { readonly baseUrl?: string | null; readonly headers?: unknown | null } | null } | null } | null } } };

export const createCustomProvider: Operation<CreateCustomProviderData, CreateCustomProviderVariables> = {
  name: 'createCustomProvider',
  text: "mutation createCustomProvider($input:CreateGenerativeModelCustomProviderMutationInput!){createGenerativeModelCustomProvider(input:$input){provider{id}}}",
  access: 'admin',
};

export type PatchCustomProviderData = { readonly patchGenerativeModelCustomProvider: { readonly provider: { readonly id: string } } };

export type PatchCustomProviderVariables = { readonly input: { readonly id: string; readonly name?: string | null; readonly description?: string | null; readonly provider?: string | null; readonly clientConfig?: { readonly openai?: { readonly openaiAuthenticationMethod: { readonly apiKey: unknown }; readonly openaiClientKwargs?: { readonly baseUrl?: string | null; readonly organization?: string | null; readonly project?: string | null; readonly defaultHeaders?: unknown | null } | null; readonly openaiApiType?: 'CHAT_COMPLETIONS' | 'RESPONSES' | null } | null; readonly azureOpenai?: { readonly azureOpenaiAuthenticationMethod: { readonly apiKey?: unknown | null; readonly azureAdTokenProvider?: { readonly azureTenantId: string; readonly azureClientId: string; readonly azureClientSecret: unknown; readonly scope?: string | null } | null; readonly defaultCredentials?: boolean | null }; readonly azureOpenaiClientKwargs: { readonly azureEndpoint: string; readonly defaultHeaders?: unknown | null }; readonly openaiApiType?: 'CHAT_COMPLETIONS' | 'RESPONSES' | null } | null; readonly anthropic?: { readonly anthropicAuthenticationMethod: { readonly apiKey: unknown }; readonly anthropicClientKwargs?: { readonly baseUrl?: string | null; readonly defaultHeaders?: unknown | null } | null } | null; readonly awsBedrock?: { readonly awsBedrockAuthenticationMethod: { readonly accessKeys?: { readonly awsAccessKeyId: string; readonly awsSecretAccessKey: unknown; readonly awsSessionToken?: unknown | null } | null; readonly defaultCredentials?: boolean | null }; readonly awsBedrockClientKwargs: { readonly regionName: string; readonly endpointUrl?: string | null } } | null; readonly googleGenai?: { readonly googleGenaiAuthenticationMethod: { readonly apiKey: unknown }; readonly googleGenaiClientKwargs?: { readonly httpOptions?: { readonly baseUrl?: string | null; readonly headers?: unknown | null } | null } | null } | null } | null } };

export const patchCustomProvider: Operation<PatchCustomProviderData, PatchCustomProviderVariables> = {
  name: 'patchCustomProvider',
  text: "mutation patchCustomProvider($input:PatchGenerativeModelCustomProviderMutationInput!){patchGenerativeModelCustomProvider(input:$input){provider{id}}}",
  access: 'admin',
};

export type DeleteCustomProviderData = { readonly deleteGenerativeModelCustomProvider: { readonly id: string } };

export type DeleteCustomProviderVariables = { readonly id: string };

export const deleteCustomProvider: Operation<DeleteCustomProviderData, DeleteCustomProviderVariables> = {
  name: 'deleteCustomProvider',
  text: "mutation deleteCustomProvider($id:ID!){deleteGenerativeModelCustomProvider(input:{id:$id}){id}}",
  access: 'admin',
};

export type TestCustomProviderData = { readonly testGenerativeModelCustomProviderCredentials: { readonly error: string | null } };

export type TestCustomProviderVariables = { readonly input: { readonly openai?: { readonly openaiAuthenticationMethod: { readonly apiKey: unknown }; readonly openaiClientKwargs?: { readonly baseUrl?: string | null; readonly organization?: string | null; readonly project?: string | null; readonly defaultHeaders?: unknown | null } | null; readonly openaiApiType?: 'CHAT_COMPLETIONS' | 'RESPONSES' | null } | null; readonly azureOpenai?: { readonly azureOpenaiAuthenticationMethod: { readonly apiKey?: unknown | null; readonly azureAdTokenProvider?: { readonly azureTenantId: string; readonly azureClientId: string; readonly azureClientSecret: unknown; readonly scope?: string | null } | null; readonly defaultCredentials?: boolean | null }; readonly azureOpenaiClientKwargs: { readonly azureEndpoint: string; readonly defaultHeaders?: unknown | null }; readonly openaiApiType?: 'CHAT_COMPLETIONS' | 'RESPONSES' | null } | null; readonly anthropic?: { readonly anthropicAuthenticationMethod: { readonly apiKey: unknown }; readonly anthropicClientKwargs?: { readonly baseUrl?: string | null; readonly defaultHeaders?: unknown | null } | null } | null; readonly awsBedrock?: { readonly awsBedrockAuthenticationMethod: { readonly accessKeys?: { readonly awsAccessKeyId: string; readonly awsSecretAccessKey: unknown; readonly awsSessionToken?: unknown | null } | null; readonly defaultCredentials?: boolean | null }; readonly awsBedrockClientKwargs: { readonly regionName: string; readonly endpointUrl?: string | null } } | null; readonly googleGenai?: { readonly googleGenaiAuthenticationMethod: { readonly apiKey: unknown }; readonly googleGenaiClientKwargs?: { readonly httpOptions?: { readonly baseUrl?: string | null; readonly headers?: unknown | null } | null } | null } | null } };

export const testCustomProvider: Operation<TestCustomProviderData, TestCustomProviderVariables> = {
  name: 'testCustomProvider',
  text: "mutation testCustomProvider($input:GenerativeModelCustomerProviderConfigInput!){testGenerativeModelCustomProviderCredentials(input:$input){error}}",
  access: 'admin',
};
