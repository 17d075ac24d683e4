import { nestsWithin } from '../../base/json-depth.ts';
import { hasMoreJsonSigns } from '../../base/json-signs.ts';
import { SCIM_JSON_DEPTH_MAX, SCIM_VALUE_COUNT_MAX } from '../../model/limits/identity-providers.ts';
import { ScimError } from './scim-error.ts';

/** Attributes by name in lower case, because names have no case in SCIM. A `Map`, so that no name reaches a prototype. */
export type Attributes = ReadonlyMap<string, unknown>;

/** @throws {ScimError} `invalidSyntax` for a body that is not a JSON object, or has too many values or levels */
export function readBody(body: Uint8Array): Attributes {
  if (hasMoreJsonSigns(body, SCIM_VALUE_COUNT_MAX)) {
    throw new ScimError('invalidSyntax', `The body has more than ${SCIM_VALUE_COUNT_MAX} values`);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new ScimError('invalidSyntax', 'The body is not valid JSON in UTF-8');
  }
  if (!isObject(value)) throw new ScimError('invalidSyntax', 'The body must be a JSON object');
  if (!nestsWithin(value, SCIM_JSON_DEPTH_MAX)) {
    throw new ScimError('invalidSyntax', `The body has more than ${SCIM_JSON_DEPTH_MAX} levels`);
  }
  return toAttributes(value);
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toAttributes = (value: object): Attributes =>
  new Map(Object.entries(value).map(([name, part]) => [name.toLowerCase(), part]));

/** @throws {ScimError} `invalidSyntax` if the body does not name the schema */
export function checkSchema(attributes: Attributes, schema: string): void {
  const schemas = attributes.get('schemas');
  const isNamed =
    Array.isArray(schemas) &&
    schemas.some((one) => typeof one === 'string' && one.toLowerCase() === schema.toLowerCase());
  if (!isNamed) throw new ScimError('invalidSyntax', `The schemas of the body must name ${schema}`);
}

/** Text of an attribute. Null removes it. */
export function toText(name: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string') return value;
  throw new ScimError('invalidValue', `${name} must be a string`);
}

/** True and false, and the texts "True" and "False" of Microsoft Entra. */
export function toFlag(name: string, value: unknown): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw new ScimError('invalidValue', `${name} must be true or false`);
}

/** A number in the only form that IDs of users and groups have. */
export const toMaybeId = (text: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
