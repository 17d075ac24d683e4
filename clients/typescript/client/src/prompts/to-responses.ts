import { cannotExpress, partsOf, type RenderedPrompt, roleOf, toResultText } from './prompt-arguments.ts';
import type { PromptMessage, PromptPart, PromptTools } from './prompt-version.ts';
import { openAiParameters } from './to-openai.ts';

type InputPart = { type: 'input_text'; text: string } | { type: 'input_image'; image_url: string; detail: 'auto' };

export type ResponsesItem =
  | { type: 'message'; role: 'user' | 'assistant' | 'system' | 'developer'; content: string | InputPart[] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string };

export type ResponsesTool = {
  type: 'function';
  name: string;
  description?: string;
  parameters: Record<string, unknown> | null;
  strict: boolean | null;
};

/** Arguments of `responses.create`. */
export interface ResponsesArguments {
  model: string;
  input: ResponsesItem[];
  tools?: ResponsesTool[];
  tool_choice?: 'none' | 'auto' | 'required' | { type: 'function'; name: string };
  parallel_tool_calls?: boolean;
  text?: {
    format: {
      type: 'json_schema';
      name: string;
      description?: string;
      schema: Record<string, unknown>;
      strict?: boolean;
    };
  };
  reasoning?: { effort: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' };
  temperature?: number;
  max_output_tokens?: number;
  top_p?: number;
}

/** Parameters of chat completions that responses lack; they change how an answer is drawn, and have no counterpart. */
const LACKING = ['frequency_penalty', 'presence_penalty', 'seed', 'stop'];

export function toResponses({ version, messages }: RenderedPrompt): ResponsesArguments {
  const { tools, response_format: format } = version;
  return {
    model: version.model_name,
    ...toParameters(openAiParameters(version)),
    input: messages.flatMap(toItems),
    ...(tools && toToolArguments(tools)),
    ...(format && {
      text: {
        format: { type: 'json_schema' as const, ...format.json_schema, schema: format.json_schema.schema ?? {} },
      },
    }),
  };
}

function toParameters(parameters: Record<string, unknown>): Record<string, unknown> {
  const { reasoning_effort: effort, max_tokens: tokens, max_completion_tokens: completion, ...rest } = parameters;
  const limit = completion ?? tokens;
  const lacking = LACKING.filter((name) => Object.hasOwn(rest, name));
  if (lacking.length > 0) cannotExpress('The responses API of OpenAI', `the parameters ${lacking.join(', ')}`);
  return {
    ...rest,
    ...(limit !== undefined && { max_output_tokens: limit }),
    ...(effort !== undefined && { reasoning: { effort } }),
  };
}

function toToolArguments({ tools, tool_choice: choice, disable_parallel_tool_calls: isSerial }: PromptTools) {
  return {
    tools: tools.map((tool): ResponsesTool => {
      if (tool.type === 'raw') return tool.raw as ResponsesTool;
      const { parameters = null, strict = null, ...rest } = tool.function;
      return { type: 'function', ...rest, parameters, strict };
    }),
    ...(choice && { tool_choice: toChoice(choice) }),
    ...(isSerial !== undefined && { parallel_tool_calls: !isSerial }),
  };
}

function toChoice(choice: NonNullable<PromptTools['tool_choice']>): NonNullable<ResponsesArguments['tool_choice']> {
  if (choice.type === 'none') return 'none';
  if (choice.type === 'zero_or_more') return 'auto';
  if (choice.type === 'one_or_more') return 'required';
  return { type: 'function', name: choice.function_name };
}

/** Content of a message, and calls and results of tools as items of their own, in order. */
function toItems(message: PromptMessage): ResponsesItem[] {
  const items: ResponsesItem[] = [];
  let content: InputPart[] = [];
  const flush = () => {
    if (content.length > 0) items.push(toMessage(message, content));
    content = [];
  };
  for (const part of partsOf(message)) {
    if (part.type === 'text' || part.type === 'image') content.push(toContent(part));
    else {
      flush();
      items.push(toToolItem(part));
    }
  }
  flush();
  return items;
}

function toMessage(message: PromptMessage, content: InputPart[]): ResponsesItem {
  const role = roleOf(message);
  if (role === 'tool')
    return cannotExpress('The responses API of OpenAI', 'a message of a tool without the result of a call');
  const texts = content.flatMap((part) => (part.type === 'input_text' ? [part.text] : []));
  if (texts.length === content.length && (content.length === 1 || role === 'assistant')) {
    return { type: 'message', role, content: texts.join('\n') };
  }
  if (role === 'assistant')
    return cannotExpress('The responses API of OpenAI', 'an image in a message of the assistant');
  return { type: 'message', role, content };
}

const toContent = (part: Extract<PromptPart, { type: 'text' | 'image' }>): InputPart =>
  part.type === 'text'
    ? { type: 'input_text', text: part.text }
    : { type: 'input_image', image_url: part.image.url, detail: 'auto' };

const toToolItem = (part: Extract<PromptPart, { type: 'tool_call' | 'tool_result' }>): ResponsesItem =>
  part.type === 'tool_call'
    ? {
        type: 'function_call',
        call_id: part.tool_call_id,
        name: part.tool_call.name,
        arguments: part.tool_call.arguments || '{}',
      }
    : { type: 'function_call_output', call_id: part.tool_call_id, output: toResultText(part.tool_result) };
