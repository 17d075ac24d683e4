import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { IDENTIFIER_PATTERN } from '../../../model/identifier.ts';
import { IDENTIFIER_CHARS_MAX } from '../../../model/limits/datasets.ts';
import {
  type AnthropicParameters,
  type AnthropicThinking,
  anthropicProblem,
  MODEL_PROVIDERS,
  OPENAI_FAMILY,
  OUTPUT_EFFORTS,
  REASONING_EFFORTS,
  type SentParameters,
  THINKING_BUDGET_TOKENS_MIN,
  THINKING_DISPLAYS,
  THINKING_LEVELS,
} from '../../../model/prompts/prompt-parameters.ts';
import {
  type ContentPart,
  MESSAGE_ROLES,
  type PromptTemplate,
  TEMPLATE_FORMATS,
  TEMPLATE_TYPES,
  templateTypeOf,
} from '../../../model/prompts/prompt-template.ts';
import type { PromptTool, ToolChoice } from '../../../model/prompts/prompt-tools.ts';
import {
  AnyJson,
  EnumOf,
  ExactFloat,
  ExactInteger,
  JsonObject,
  Nullable,
  OneOf,
  Ruled,
  StrictObject,
  Tagged,
  TextOr,
} from '../schema.ts';

export const Identifier = Type.String({ pattern: IDENTIFIER_PATTERN, maxLength: IDENTIFIER_CHARS_MAX });

/** An object that says by its field `type` which it is. */
const tagged = <Fields extends TProperties>(type: string, fields: Fields) =>
  StrictObject({ type: Type.Literal(type), ...fields });

const TextPart = tagged('text', { text: Type.String() });
const ToolCallPart = tagged('tool_call', {
  tool_call_id: Type.String(),
  tool_call: tagged('function', { name: Type.String(), arguments: Type.String({ description: 'JSON text.' }) }),
});
const ToolResultPart = tagged('tool_result', { tool_call_id: Type.String(), tool_result: AnyJson() });
const ImagePart = tagged('image', {
  image: StrictObject({ url: Type.String({ description: 'A URL, which may be a `data:` URL.' }) }),
});

const Message = StrictObject({
  role: OneOf(MESSAGE_ROLES),
  content: TextOr<ContentPart[]>(
    Type.Array(Tagged<ContentPart>([TextPart, ToolCallPart, ToolResultPart, ImagePart]), { minItems: 1 }),
  ),
});
const ChatTemplate = tagged('chat', { messages: Type.Array(Message) });
const StringTemplate = tagged('string', { template: Type.String() });

const FunctionTool = tagged('function', {
  function: StrictObject({
    name: Type.String(),
    description: Type.Optional(Type.String()),
    parameters: Type.Optional(JsonObject({ description: 'JSON schema.' })),
    strict: Type.Optional(Type.Boolean()),
  }),
});
const RawTool = tagged('raw', { raw: JsonObject({ description: 'A tool of a vendor-specific kind.' }) });
const Tools = StrictObject({
  type: Type.Literal('tools'),
  tools: Type.Array(Tagged<PromptTool>([FunctionTool, RawTool]), { minItems: 1 }),
  tool_choice: Type.Optional(
    Tagged<ToolChoice>([
      tagged('none', {}),
      tagged('zero_or_more', {}),
      tagged('one_or_more', {}),
      tagged('specific_function', { function_name: Type.String() }),
    ]),
  ),
  disable_parallel_tool_calls: Type.Optional(Type.Boolean()),
});

const ResponseFormat = StrictObject({
  type: Type.Literal('json_schema'),
  json_schema: StrictObject({
    name: Type.String(),
    description: Type.Optional(Type.String()),
    schema: Type.Optional(JsonObject({ description: 'JSON schema.' })),
    strict: Type.Optional(Type.Boolean()),
  }),
});

const float = Type.Optional(ExactFloat());
const integer = Type.Optional(ExactInteger());
const texts = Type.Optional(Type.Array(Type.String()));
const extraBody = Type.Optional(JsonObject({ description: 'Further fields of the vendor.' }));
const display = Type.Optional(OneOf(THINKING_DISPLAYS));

const OpenAi = StrictObject(
  {
    temperature: float,
    max_tokens: integer,
    max_completion_tokens: integer,
    frequency_penalty: float,
    presence_penalty: float,
    top_p: float,
    seed: integer,
    stop: texts,
    reasoning_effort: Type.Optional(OneOf(REASONING_EFFORTS)),
    extra_body: extraBody,
  },
  { $id: 'OpenAIParameters' },
);

const Anthropic = StrictObject(
  {
    max_tokens: ExactInteger(),
    temperature: float,
    top_p: float,
    stop_sequences: texts,
    output_config: Type.Optional(StrictObject({ effort: Type.Optional(OneOf(OUTPUT_EFFORTS)) })),
    thinking: Type.Optional(
      Tagged<AnthropicThinking>([
        tagged('disabled', {}),
        tagged('enabled', { budget_tokens: ExactInteger({ minimum: THINKING_BUDGET_TOKENS_MIN }), display }),
        tagged('adaptive', { display }),
      ]),
    ),
    extra_body: extraBody,
  },
  { $id: 'AnthropicParameters' },
);

const Google = StrictObject(
  {
    temperature: float,
    max_output_tokens: integer,
    stop_sequences: texts,
    presence_penalty: float,
    frequency_penalty: float,
    top_p: float,
    top_k: integer,
    thinking_config: Type.Optional(
      StrictObject({
        thinking_budget: integer,
        thinking_level: Type.Optional(OneOf(THINKING_LEVELS)),
        include_thoughts: Type.Optional(Type.Boolean()),
      }),
    ),
  },
  { $id: 'GoogleParameters' },
);

const Aws = StrictObject(
  { max_tokens: integer, temperature: float, top_p: float, stop_sequences: texts },
  { $id: 'AwsParameters' },
);

const Parameters = Tagged<SentParameters>([
  ...OPENAI_FAMILY.map((type) => tagged(type, { [type]: OpenAi })),
  tagged('anthropic', { anthropic: Ruled(Anthropic, (value) => anthropicProblem(value as AnthropicParameters)) }),
  tagged('google', { google: Google }),
  tagged('aws', { aws: Aws }),
]);

const VERSION_FIELDS = {
  model_provider: EnumOf(MODEL_PROVIDERS),
  model_name: Type.String(),
  template: Tagged<PromptTemplate>([ChatTemplate, StringTemplate]),
  template_type: EnumOf(TEMPLATE_TYPES),
  template_format: EnumOf(TEMPLATE_FORMATS),
  invocation_parameters: Parameters,
};

const VersionBody = Type.Object(
  {
    description: Type.Optional(Nullable(Type.String())),
    ...VERSION_FIELDS,
    tools: Type.Optional(Nullable(Tools)),
    response_format: Type.Optional(Nullable(ResponseFormat)),
  },
  { $id: 'PromptVersionData' },
);

export const NewVersionBody = Type.Object({
  prompt: Type.Object({
    name: Identifier,
    description: Type.Optional(Nullable(Type.String())),
    metadata: Type.Optional(Nullable(JsonObject())),
  }),
  version: Ruled(VersionBody, ({ template, template_type }) =>
    template_type === templateTypeOf(template) ? undefined : 'Template type does not match template',
  ),
});
export type NewVersionJson = Static<typeof NewVersionBody>;

export const PromptVersionJson = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    description: Type.String(),
    ...VERSION_FIELDS,
    tools: Type.Optional(Tools),
    response_format: Type.Optional(ResponseFormat),
  },
  { $id: 'PromptVersion' },
);

export const PromptJson = Type.Object(
  {
    name: Type.String(),
    description: Nullable(Type.String()),
    source_prompt_id: Nullable(Type.String(), { description: 'The prompt from which this one was cloned.' }),
    metadata: JsonObject(),
    id: Type.String({ description: 'Global ID.' }),
  },
  { $id: 'Prompt' },
);
