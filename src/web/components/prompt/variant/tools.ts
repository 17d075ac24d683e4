import { at, isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import type { ContentFunction } from '../version-content.ts';
import { type EditedTool, type Family, newId, parseJson } from './variant.ts';

/** A function in the form of a vendor, as its documentation shows it. */
export function printTool(tool: ContentFunction, family: Family): JsonObject {
  const { name, description, strict } = tool;
  const parameters = tool.parameters ?? EMPTY_SCHEMA;
  const described: JsonObject = description === undefined ? {} : { description };
  const strictly: JsonObject = strict === undefined ? {} : { strict };
  switch (family) {
    case 'openai':
      return { type: 'function', function: { name, ...described, parameters, ...strictly } };
    case 'anthropic':
      return { name, ...described, input_schema: parameters, ...strictly };
    case 'google':
      return { name, ...described, parametersJsonSchema: parameters, ...strictly };
    case 'aws':
      return { toolSpec: { name, ...described, inputSchema: { json: parameters }, ...strictly } };
  }
}

const EMPTY_SCHEMA: JsonObject = { type: 'object', properties: {} };

/** The function that a tool of any vendor describes. Undefined for a tool of the vendor's own kind, such as web search. */
export function readTool(value: Json | undefined): ContentFunction | undefined {
  if (!isObject(value)) return undefined;
  const inner = at(value, 'function') ?? at(value, 'toolSpec') ?? value;
  if (!isObject(inner)) return undefined;
  const schema =
    at(inner, 'parameters') ??
    at(inner, 'input_schema') ??
    at(inner, 'parametersJsonSchema') ??
    at(at(inner, 'inputSchema'), 'json');
  const { name, description, strict } = inner;
  if (typeof name !== 'string' || name === '') return undefined;
  // The vendor's own tools have a type and no schema.
  const type = at(value, 'type');
  if (inner === value && typeof type === 'string' && type !== 'function' && type !== 'custom') return undefined;
  if (inner === value && schema === undefined && type !== 'function') return undefined;
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(isObject(schema) && { parameters: schema }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

/** Writes tools in the form of another vendor. Texts that describe no function stay as they are. */
export const convertTools = (tools: readonly EditedTool[], to: Family): readonly EditedTool[] =>
  tools.map((tool) => {
    const read = readTool(parseJson(tool.text));
    return read ? { ...tool, text: toText(printTool(read, to)) } : tool;
  });

export const toText = (value: Json | object): string => JSON.stringify(value, null, 2);

/** A tool for the user to complete. */
export const newTool = (family: Family, count: number): EditedTool => ({
  id: newId(),
  text: toText(
    printTool(
      {
        name: `tool_${count + 1}`,
        description: '',
        parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      },
      family,
    ),
  ),
});
