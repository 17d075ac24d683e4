import { type ExactJson, type ExactJsonObject, ExactNumber, newJsonObject } from '../../../base/exact-json.ts';
import type { InvocationParameters } from '../../../model/prompts/prompt-parameters.ts';
import type { ChatTemplate, ContentPart, MessageRole, PromptTemplate } from '../../../model/prompts/prompt-template.ts';
import type { PromptTool, PromptTools, ResponseFormat } from '../../../model/prompts/prompt-tools.ts';

// The content of a prompt version in the shape of its GraphQL types: their fields are properties, and `__typename` is
// the member of a union.

export const toTemplate = (template: PromptTemplate): object =>
  template.type === 'string'
    ? { __typename: 'PromptStringTemplate', template: template.template }
    : {
        __typename: 'PromptChatTemplate',
        messages: toMessages(template),
      };

export const toMessages = ({ messages }: ChatTemplate): object[] =>
  messages.map(({ role, content }) => ({
    role: ROLES[role],
    content: typeof content === 'string' ? [toPart({ type: 'text', text: content })] : content.map(toPart),
  }));

const ROLES: Readonly<Record<MessageRole, string>> = {
  user: 'USER',
  system: 'SYSTEM',
  developer: 'SYSTEM',
  assistant: 'AI',
  model: 'AI',
  ai: 'AI',
  tool: 'TOOL',
};

function toPart(part: ContentPart): object {
  switch (part.type) {
    case 'text':
      return { __typename: 'TextContentPart', text: { text: part.text } };
    case 'tool_call':
      return {
        __typename: 'ToolCallContentPart',
        toolCall: { toolCallId: part.tool_call_id, toolCall: part.tool_call },
      };
    case 'tool_result':
      return {
        __typename: 'ToolResultContentPart',
        toolResult: { toolCallId: part.tool_call_id, result: part.tool_result },
      };
    case 'image':
      return { __typename: 'ImageContentPart', image: part.image };
  }
}

export const toTools = ({
  tools,
  tool_choice: choice,
  disable_parallel_tool_calls: isSerial,
}: PromptTools): object => ({
  tools: tools.map(toTool),
  toolChoice: choice && {
    type: choice.type.toUpperCase(),
    functionName: choice.type === 'specific_function' ? choice.function_name : null,
  },
  disableParallelToolCalls: isSerial,
});

function toTool(tool: PromptTool): object {
  if (tool.type === 'raw') return { __typename: 'PromptToolRaw', raw: tool.raw };
  return {
    __typename: 'PromptToolFunction',
    function: { ...tool.function, parameters: tool.function.parameters ?? {} },
  };
}

export const toResponseFormat = ({ json_schema }: ResponseFormat): object => ({ jsonSchema: json_schema });

export function toInvocationParameters(parameters: InvocationParameters): object {
  switch (parameters.type) {
    case 'openai':
      return { __typename: 'PromptOpenAIInvocationParameters', ...toFields(parameters.openai) };
    case 'anthropic': {
      const { thinking, output_config: output, ...rest } = parameters.anthropic;
      return {
        __typename: 'PromptAnthropicInvocationParameters',
        ...toFields(rest),
        outputConfig: output && toFields(output),
        thinking: thinking && {
          __typename: `PromptAnthropicThinking${thinking.type.charAt(0).toUpperCase()}${thinking.type.slice(1)}`,
          disabled: thinking.type === 'disabled',
          ...toFields(thinking),
        },
      };
    }
    case 'google': {
      const { thinking_config: thinking, ...rest } = parameters.google;
      return {
        __typename: 'PromptGoogleInvocationParameters',
        ...toFields(rest),
        thinkingConfig: thinking && toFields(thinking),
      };
    }
    case 'aws':
      return { __typename: 'PromptAwsInvocationParameters', ...toFields(parameters.aws) };
  }
}

/** Parameters by the names of the vendor, in the older public form that `withCurrentParameters` accepts. */
export function toPlainParameters(parameters: InvocationParameters): ExactJsonObject {
  const all = parameters as unknown as Readonly<Record<string, ExactJsonObject>>;
  const { extra_body: extra, ...fields } = all[parameters.type] ?? {};
  return Object.assign(newJsonObject(), extra, fields);
}

/** `max_tokens` as `maxTokens`; numbers as doubles, enumeration values in capitals, JSON unchanged. */
function toFields(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields as Record<string, ExactJson>).map(([name, value]) => [
      name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value instanceof ExactNumber ? Number(value) : typeof value === 'string' ? value.toUpperCase() : value,
    ]),
  );
}
