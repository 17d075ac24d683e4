import type { ExactJson, ExactJsonObject } from '../../../base/exact-json.ts';
import type { FunctionDefinition, PromptTool } from '../../../model/prompts/prompt-tools.ts';
import { isJsonObject } from '../../../model/spans/nested-attributes.ts';
import { attributeAt, decodeObject, textAt } from './attribute-at.ts';

/** Tools of a span in the form of any vendor. A tool of a vendor's own kind stays as it is. Undefined: one is not an object. */
export function readTools(list: ExactJson | undefined): PromptTool[] | undefined {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) return undefined;
  const tools = list.map((item) =>
    decodeObject(attributeAt(item, 'tool.json_schema') ?? attributeAt(item, 'json_schema') ?? item),
  );
  return tools.every((tool) => tool !== undefined) ? tools.flatMap(readTool) : undefined;
}

function readTool(tool: ExactJsonObject): PromptTool[] {
  const declarations = tool.functionDeclarations ?? tool.function_declarations;
  if (Array.isArray(declarations)) return declarations.filter(isJsonObject).flatMap(readTool);
  const definition = [tool.function, tool.toolSpec, tool].find(isJsonObject) ?? tool;
  const isFunction =
    definition !== tool || tool.type === undefined || tool.type === 'function' || tool.type === 'custom';
  const name = textAt(definition, 'name');
  const schema = schemaOf(definition);
  if (!isFunction || name === undefined || (tool.type === 'custom' && schema === undefined))
    return [{ type: 'raw', raw: tool }];
  const description = textAt(definition, 'description');
  const definitionOf: FunctionDefinition = {
    name,
    ...(description !== undefined && { description }),
    ...(schema && { parameters: schema }),
    ...(typeof definition.strict === 'boolean' && { strict: definition.strict }),
  };
  return [{ type: 'function', function: definitionOf }];
}

/** OpenAI, Anthropic, Google, Bedrock. */
function schemaOf(definition: ExactJsonObject): ExactJsonObject | undefined {
  const { parameters, input_schema, parametersJsonSchema, inputSchema } = definition;
  const bedrock = isJsonObject(inputSchema) ? inputSchema.json : undefined;
  return [parameters, input_schema, parametersJsonSchema, bedrock].find(isJsonObject);
}
