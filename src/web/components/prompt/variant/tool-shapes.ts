import type { JsonShape, ShapeKey } from '../../editor/json-shape.ts';
import type { Family } from './variant.ts';

const BOOLEAN = (): JsonShape => ({ values: ['true', 'false'] });
const TYPES = ['"string"', '"number"', '"integer"', '"boolean"', '"object"', '"array"', '"null"'];
const schemas = (): JsonShape => ({ items: () => SCHEMA });
const named = (): JsonShape => ({ others: () => SCHEMA });
const key = (about: string, shape?: () => JsonShape): ShapeKey => ({ about, ...(shape && { shape }) });

/** Names of JSON Schema that vendors understand. */
export const SCHEMA: JsonShape = {
  keys: {
    type: key('kind of value', () => ({ values: TYPES, items: () => ({ values: TYPES }) })),
    description: key('what the value means, for the model'),
    properties: key('values of an object by name', named),
    required: key('names that an object must have'),
    additionalProperties: key('whether other names are allowed', () => ({ ...SCHEMA, values: ['false', 'true'] })),
    items: key('values of a list', () => SCHEMA),
    enum: key('the only allowed values'),
    const: key('the only allowed value'),
    title: key('short name'),
    default: key('value if absent'),
    anyOf: key('one or more of these', schemas),
    oneOf: key('exactly one of these', schemas),
    allOf: key('all of these', schemas),
    not: key('none of this', () => SCHEMA),
    minimum: key('lowest number'),
    maximum: key('highest number'),
    exclusiveMinimum: key('every number is higher'),
    exclusiveMaximum: key('every number is lower'),
    multipleOf: key('step of numbers'),
    minLength: key('fewest characters'),
    maxLength: key('most characters'),
    pattern: key('regular expression of a text'),
    format: key('form of a text', () => ({
      values: ['"date-time"', '"date"', '"time"', '"duration"', '"email"', '"uri"', '"uuid"', '"ipv4"', '"ipv6"'],
    })),
    minItems: key('fewest items'),
    maxItems: key('most items'),
    uniqueItems: key('whether all items differ', BOOLEAN),
    prefixItems: key('first items of a list', schemas),
    nullable: key('whether null is allowed', BOOLEAN),
    $ref: key('path to a definition, such as #/$defs/name'),
    $defs: key('definitions by name', named),
  },
};

const DESCRIBED = { name: key('name by which the model calls it'), description: key('what it does, for the model') };
const STRICT = { strict: key('whether arguments always match the schema', BOOLEAN) };

/** A tool in the form of a vendor. */
export const TOOL_SHAPES: Readonly<Record<Family, JsonShape>> = {
  openai: {
    keys: {
      type: key('kind of tool', () => ({ values: ['"function"'] })),
      function: key('the function', () => ({
        keys: { ...DESCRIBED, parameters: key('schema of the arguments', () => SCHEMA), ...STRICT },
      })),
    },
  },
  anthropic: { keys: { ...DESCRIBED, input_schema: key('schema of the arguments', () => SCHEMA), ...STRICT } },
  google: { keys: { ...DESCRIBED, parametersJsonSchema: key('schema of the arguments', () => SCHEMA) } },
  aws: {
    keys: {
      toolSpec: key('the function', () => ({
        keys: {
          ...DESCRIBED,
          inputSchema: key('schema of the arguments', () => ({ keys: { json: key('the schema', () => SCHEMA) } })),
          ...STRICT,
        },
      })),
    },
  },
};

/** A named schema that responses must match. */
export const FORMAT_SHAPE: JsonShape = {
  keys: {
    name: key('name of the schema'),
    description: key('what the response is, for the model'),
    schema: key('the schema', () => SCHEMA),
    strict: key('whether responses always match the schema', BOOLEAN),
  },
};
