import type { ExactJsonObject } from '../../../base/exact-json.ts';
import type { OpenAiParameters } from '../../../model/prompts/prompt-parameters.ts';
import type { PromptTool, PromptTools, ResponseFormat, ToolChoice } from '../../../model/prompts/prompt-tools.ts';
import type { ChatMessage, ChatRequest } from '../../contract/chat-model.ts';
import { CHOICES } from '../chat/chat-body.ts';
import { checkToolCallId, partsOf, resultText } from '../chat/chat-messages.ts';
import { parametersOf, toBody } from '../openai-body.ts';
import type { OpenAiModel } from '../openai-model.ts';

/** The body of a call of the responses API. */
export function toResponsesBody({ modelName }: OpenAiModel, request: ChatRequest): ExactJsonObject {
  const { messages, tools, responseFormat, isStreamed } = request;
  const parameters = parametersOf(request.parameters);
  return toBody(
    {
      model: modelName,
      input: messages.flatMap(toItems),
      ...toResponsesParameters(parameters),
      ...(tools && toResponsesTools(tools)),
      text: responseFormat ? { format: toTextFormat(responseFormat) } : undefined,
      ...(isStreamed && { stream: true }),
    },
    parameters.extra_body,
  );
}

function toResponsesParameters(parameters: OpenAiParameters) {
  const { extra_body: _, max_tokens, max_completion_tokens, reasoning_effort: effort, ...others } = parameters;
  return {
    ...others,
    max_output_tokens: max_completion_tokens ?? max_tokens,
    reasoning: effort === undefined ? undefined : { effort },
  };
}

/**
 * Items of a message: results, then its content, then its tool calls.
 *
 * @throws {ModelError} for a tool message without a call
 */
function toItems(message: ChatMessage): ExactJsonObject[] {
  const results = partsOf(message, 'toolResult').map(({ toolCallId, result }) => {
    checkToolCallId(toolCallId);
    return { type: 'function_call_output', call_id: toolCallId, output: resultText(result) };
  });
  if (message.role === 'tool') {
    if (results.length === 0) checkToolCallId('');
    return results;
  }
  const calls = partsOf(message, 'toolCall').map(({ toolCall }) => ({
    type: 'function_call',
    call_id: toolCall.id,
    name: toolCall.name,
    arguments: toolCall.arguments,
  }));
  return [...results, ...contentItems(message), ...calls];
}

function contentItems(message: ChatMessage): ExactJsonObject[] {
  const parts = message.parts.filter((part) => part.type === 'text' || part.type === 'image');
  const { role } = message;
  if (parts.length === 0) return message.parts.length === 0 ? [{ role, content: '' }] : [];
  if (parts.every((part) => part.type === 'text')) return [{ role, content: parts.map(({ text }) => text).join('\n') }];
  const content = parts.map(
    (part): ExactJsonObject =>
      part.type === 'text' ? { type: 'input_text', text: part.text } : { type: 'input_image', image_url: part.url },
  );
  return [{ role, content }];
}

function toResponsesTools({ tools, tool_choice, disable_parallel_tool_calls: isSerial }: PromptTools) {
  return {
    tools: tools.map(toResponsesTool),
    tool_choice: tool_choice && toResponsesChoice(tool_choice),
    parallel_tool_calls: isSerial === undefined ? undefined : !isSerial,
  };
}

/** The API demands `strict`, and takes null for its default. */
const toResponsesTool = (tool: PromptTool) =>
  tool.type === 'raw' ? tool.raw : { type: 'function', ...tool.function, strict: tool.function.strict ?? null };

const toResponsesChoice = (choice: ToolChoice) =>
  choice.type === 'specific_function' ? { type: 'function', name: choice.function_name } : CHOICES[choice.type];

const toTextFormat = ({ json_schema }: ResponseFormat) => ({ type: 'json_schema', ...json_schema });
