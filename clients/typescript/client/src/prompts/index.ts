export * from './prompt-version.ts';
export * from './prompts.ts';
export { MissingVariableError, type Variables } from './render-template.ts';
export type { AiSdkArguments } from './to-ai-sdk.ts';
export type { AnthropicArguments } from './to-anthropic.ts';
export type { OpenAiArguments } from './to-openai.ts';
export type { ResponsesArguments } from './to-responses.ts';
export { PROVIDER_TO_SDK, type SdkArguments, toSDK } from './to-sdk.ts';
