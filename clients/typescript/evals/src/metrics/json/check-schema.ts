import { ArgumentError, describeType } from '../../errors.ts';
import { SCHEMA_DEPTH_MAX } from '../limits.ts';
import { compileRegex } from '../regex.ts';
import { isObject, type JsonObject } from './json-value.ts';

/** JSON types of values, by their names in schemas. */
export const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => typeof value === 'number' && Number.isInteger(value),
  string: (value) => typeof value === 'string',
  array: (value) => Array.isArray(value),
  object: isObject,
};

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const areTypes = (value: unknown) =>
  [value].flat().length > 0 && [value].flat().every((name) => isText(name) && Object.hasOwn(TYPES, name));

/** What a keyword takes: words for messages, and a test. */
const FORMS = {
  any: ['a value', () => true],
  text: ['a text', isText],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  number: ['a number', (value) => typeof value === 'number' && Number.isFinite(value)],
  divisor: ['a number above 0', (value) => typeof value === 'number' && value > 0],
  count: ['a whole number from 0', isCount],
  list: ['a list', Array.isArray],
  texts: ['a list of texts', isTexts],
  textsByName: ['an object of lists of texts', (value) => isObject(value) && Object.values(value).every(isTexts)],
  types: [`one or more of ${Object.keys(TYPES).join(', ')}`, areTypes],
  schema: ['a schema', (value) => typeof value === 'boolean' || isObject(value)],
  schemas: ['a list of schemas', (value) => Array.isArray(value) && value.length > 0],
  schemasByName: ['an object of schemas', isObject],
} satisfies Record<string, readonly [words: string, isFine: (value: unknown) => boolean]>;

type Form = keyof typeof FORMS;

const KEYWORDS = new Map<string, Form>(
  Object.entries({
    any: ['const', 'default', 'strict'],
    text: ['$ref', '$schema', '$id', '$anchor', '$comment', 'title', 'description', 'format', 'pattern'],
    boolean: ['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'],
    number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    divisor: ['multipleOf'],
    count: [
      ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'],
      ...['minProperties', 'maxProperties'],
    ],
    list: ['enum', 'examples'],
    texts: ['required'],
    textsByName: ['dependentRequired'],
    types: ['type'],
    schema: ['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
    schemas: ['prefixItems', 'allOf', 'anyOf', 'oneOf'],
    schemasByName: ['properties', 'patternProperties', '$defs', 'definitions'],
  } satisfies Partial<Record<Form, readonly string[]>>).flatMap(([form, names]) =>
    names.map((name) => [name, form as Form] as const),
  ),
)
  .set('contentEncoding', 'text')
  .set('contentMediaType', 'text');

/**
 * Rejects a schema with a keyword that is unknown or has a value of another form: such a keyword would be ignored, and each value would fit.
 * Names that start with `x-` are notes.
 *
 * @throws {ArgumentError} that names the place as a JSON pointer
 */
export function checkSchema(schema: unknown, path = '#', depth = 0): void {
  if (typeof schema === 'boolean') return;
  if (!isObject(schema))
    throw new ArgumentError(`${path} of the JSON schema is an object or a boolean, and not ${describeType(schema)}.`);
  if (depth > SCHEMA_DEPTH_MAX)
    throw new ArgumentError(`The JSON schema has more than ${SCHEMA_DEPTH_MAX} schemas within each other.`);
  for (const [name, value] of Object.entries(schema)) {
    if (name.startsWith('x-')) continue;
    const form = KEYWORDS.get(name);
    if (!form) {
      throw new ArgumentError(
        `The keyword '${name}' of JSON Schema is not supported (in ${path}). Remove it, or use another validator.`,
      );
    }
    const [words, isFine] = FORMS[form];
    if (!isFine(value))
      throw new ArgumentError(`${path}/${name} of the JSON schema is ${words}, and not ${describeType(value)}.`);
    if (name === 'pattern') compileRegex(value as string);
    for (const [key, inner] of schemasWithin(form, value))
      checkSchema(inner, `${path}/${name}${key === '' ? '' : `/${key}`}`, depth + 1);
    if (name === 'patternProperties') for (const pattern of Object.keys(value as JsonObject)) compileRegex(pattern);
  }
}

function schemasWithin(form: Form, value: unknown): readonly (readonly [string, unknown])[] {
  if (form === 'schema') return [['', value]];
  if (form === 'schemas' || form === 'schemasByName') return Object.entries(value as object);
  return [];
}
