import { type ExactJson, type ExactJsonObject, newJsonObject } from '../../base/exact-json.ts';

/** A member of an object that a signature describes. */
export interface Member {
  readonly name: string;
  readonly schema: ExactJsonObject;
  readonly isRequired: boolean;
}

/** JSON schema of an object. The names are keys of users. */
export function toObjectSchema(members: readonly Member[], takesOthers: boolean): ExactJsonObject {
  const properties = newJsonObject();
  for (const { name, schema } of members) properties[name] = schema;
  const schema = newJsonObject();
  schema.type = 'object';
  schema.properties = properties;
  const required = members.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  if (required.length > 0) schema.required = [...new Set(required)];
  if (!takesOthers) schema.additionalProperties = false;
  return schema;
}

/** A schema with one keyword. */
export function keyword(name: string, value: ExactJson): ExactJsonObject {
  const schema = newJsonObject();
  schema[name] = value;
  return schema;
}

/** Any value. */
export const ANY = (): ExactJsonObject => newJsonObject();

export const ofType = (type: string): ExactJsonObject => keyword('type', type);

/** A value of any of the schemas. Constants become one `enum`. */
export function anyOf(schemas: readonly ExactJsonObject[]): ExactJsonObject {
  const [first, ...others] = schemas;
  if (!first || schemas.some((schema) => Object.keys(schema).length === 0)) return ANY();
  if (others.length === 0) return first;
  const constants = schemas.map((schema) => schema.enum);
  if (constants.every((values) => Array.isArray(values))) return keyword('enum', constants.flat() as ExactJson[]);
  return keyword('anyOf', [...schemas]);
}
