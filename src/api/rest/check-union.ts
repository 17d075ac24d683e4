import assert from 'node:assert/strict';
import type { TObject, TSchema } from '@sinclair/typebox';
import { beginExactJsonText } from '../../base/exact-json.ts';
import { expectPresent } from '../../base/expect-present.ts';
import { ownValue } from '../../base/own-value.ts';
import { addIssue, type Check, isObject } from './validation.ts';

type Compile = (schema: TSchema) => Check;

/** Reads an object by the schema that the field of its discriminator names, such as `type`. Locations of issues contain that name. */
export function taggedCheck(schema: TSchema, compile: Compile): Check {
  const { propertyName } = schema.discriminator as { readonly propertyName: string };
  const discriminator = `'${propertyName}'`;
  const checks = new Map(
    (schema.anyOf as TObject[]).map((object) => [
      expectPresent(ownValue(object.properties, propertyName), 'members of the union have the field').const,
      compile(object),
    ]),
  );
  const expected = [...checks.keys()].map((tag) => `'${tag}'`).join(', ');
  return (value, context) => {
    if (!isObject(value)) {
      const msg = 'Input should be a valid dictionary or object to extract fields from';
      return addIssue(context, 'model_attributes_type', msg, value);
    }
    const tag = value[propertyName];
    if (tag === undefined) {
      const msg = `Unable to extract tag using discriminator ${discriminator}`;
      return addIssue(context, 'union_tag_not_found', msg, value, { discriminator });
    }
    const check = typeof tag === 'string' ? checks.get(tag) : undefined;
    if (!check) {
      const shown = (typeof tag === 'string' ? tag : beginExactJsonText(tag, TAG_CHARS_MAX)).slice(0, TAG_CHARS_MAX);
      const msg = `Input tag '${shown}' found using ${discriminator} does not match any of the expected tags: ${expected}`;
      const ctx = { discriminator, tag: shown, expected_tags: expected };
      return addIssue(context, 'union_tag_invalid', msg, value, ctx);
    }
    context.loc.push(tag as string);
    const checked = check(value, context);
    context.loc.pop();
    return checked;
  };
}

/** Characters of a wrong tag that an issue repeats. */
const TAG_CHARS_MAX = 100;

/** Reads a text or a list, whichever is received. */
export function textOrListCheck(schema: TSchema, compile: Compile): Check {
  const [text, list] = (schema.anyOf as TSchema[]).map(compile);
  assert.ok(text && list, 'the union has two members');
  return (value, context) => (Array.isArray(value) ? list : text)(value, context);
}
