import type { JsonSchema } from '../../clients/typescript/evals/src/fake-model/wire/protocol.ts';

/**
 * A value of a JSON schema that depends on the seed alone: a judge that must choose a label chooses the same one for the same
 * prompt.
 */
export function valueOfSchema(schema: JsonSchema, seed: string): unknown {
  return generate(schema, seed, 'value', schema, 0);
}

const DEPTH_MAX = 20;

function generate(schema: JsonSchema, seed: string, name: string, root: JsonSchema, depth: number): unknown {
  if (typeof schema !== 'object' || schema === null || depth > DEPTH_MAX) return null;
  const key = `${seed}/${name}`;
  if (typeof schema.$ref === 'string') return generate(follow(root, schema.$ref), seed, name, root, depth + 1);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[hashOf(key) % schema.enum.length];
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return generate(choices[0], seed, name, root, depth + 1);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return `${name} ${hashOf(key) % 1000}`;
    case 'integer':
      return numberOf(schema, key, (share, minimum, maximum) => Math.round(minimum + share * (maximum - minimum)));
    case 'number':
      return numberOf(schema, key, (share, minimum, maximum) => minimum + share * (maximum - minimum));
    case 'boolean':
      return hashOf(key) % 2 === 0;
    case 'array':
      return [generate(schema.items ?? { type: 'string' }, seed, name, root, depth + 1)];
    case 'null':
      return null;
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([property, inner]) => [
          property,
          generate(inner, seed, property, root, depth + 1),
        ]),
      );
  }
}

function numberOf(
  { minimum = 0, maximum = minimum + 1 }: JsonSchema,
  key: string,
  toNumber: (share: number, minimum: number, maximum: number) => number,
): number {
  return toNumber((hashOf(key) % 101) / 100, minimum, maximum);
}

function follow(root: JsonSchema, reference: string): JsonSchema {
  let found = root;
  for (const part of reference.replace(/^#\//, '').split('/')) found = found?.[part];
  return found;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
