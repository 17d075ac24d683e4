import type { ExactJsonObject } from '../../../base/exact-json.ts';
import { isReasoningModel } from '../../../model/models/offered-parameters.ts';
import type { ModelProvider, OpenAiParameters } from '../../../model/prompts/prompt-parameters.ts';
import type { PromptTool, PromptTools, ToolChoice } from '../../../model/prompts/prompt-tools.ts';
import type { ChatRequest } from '../../contract/chat-model.ts';
import { parametersOf, toBody } from '../openai-body.ts';
import type { OpenAiModel } from '../openai-model.ts';
import { toChatMessages } from './chat-messages.ts';

/** The body of a call of chat completions, with the fields that a prompt stores to the letter. */
export function toChatBody({ modelName, modelProvider }: OpenAiModel, request: ChatRequest): ExactJsonObject {
  const { messages, tools, responseFormat, isStreamed } = request;
  const parameters = parametersOf(request.parameters);
  const hasDevelopers = modelProvider === 'OPENAI' || modelProvider === 'AZURE_OPENAI';
  const systemRole = hasDevelopers && isReasoningModel(modelName) ? 'developer' : 'system';
  return toBody(
    {
      model: modelName,
      messages: messages.flatMap((message) => toChatMessages(message, systemRole)),
      ...toChatParameters(parameters, modelProvider),
      ...(tools && toChatTools(tools)),
      response_format: responseFormat ?? undefined,
      ...(isStreamed && { stream: true, stream_options: { include_usage: true } }),
    },
    parameters.extra_body,
  );
}

/** Vendors whose documentation knows only the older name. They ignore the newer one, and with it the limit. */
const KNOWS_ONLY_MAX_TOKENS: ReadonlySet<ModelProvider> = new Set(['DEEPSEEK', 'OLLAMA', 'PERPLEXITY', 'TOGETHER']);

function toChatParameters(parameters: OpenAiParameters, provider: ModelProvider) {
  const { extra_body: _, max_tokens, max_completion_tokens, ...others } = parameters;
  if (max_tokens === undefined || (max_completion_tokens === undefined && KNOWS_ONLY_MAX_TOKENS.has(provider))) {
    return { ...others, max_tokens, max_completion_tokens };
  }
  return { ...others, max_completion_tokens: max_completion_tokens ?? max_tokens };
}

function toChatTools({ tools, tool_choice, disable_parallel_tool_calls: isSerial }: PromptTools) {
  return {
    tools: tools.map(toChatTool),
    tool_choice: tool_choice && toChatChoice(tool_choice),
    parallel_tool_calls: isSerial === undefined ? undefined : !isSerial,
  };
}

const toChatTool = (tool: PromptTool) =>
  tool.type === 'raw' ? tool.raw : { type: 'function', function: tool.function };

function toChatChoice(choice: ToolChoice) {
  if (choice.type === 'specific_function') return { type: 'function', function: { name: choice.function_name } };
  return CHOICES[choice.type];
}

export const CHOICES = { none: 'none', zero_or_more: 'auto', one_or_more: 'required' } as const;
