export type { AiSdkModel } from './ai-sdk-model.ts';
export type { ChatMessage, ContentPart, FilePart, ImagePart, TextPart } from './chat-message.ts';
export type { ModelFunction } from './function-model.ts';
export type {
  AnswerForm,
  AnswerSchema,
  JsonSchema,
  Model,
  ModelCaller,
  ModelParameters,
  ModelPrices,
  ModelRequest,
  ModelResponse,
  ModelUsage,
  TokenLogprob,
} from './model.ts';
export { type HttpModel, type ModelProvider, type OpenModelOptions, openModel } from './open-model.ts';
export { type ModelInput, toModel } from './to-model.ts';
