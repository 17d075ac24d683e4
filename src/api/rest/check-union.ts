import type { TObject, TSchema } from '@sinclair/typebox';
import { beginExactJsonText } from '../../base/exact-json.ts';
import { addFault, type Check, isObject } from './findings.ts';

type Compile = (schema: TSchema) => Check;

/** Reads an object as the one that its field `type` names; places of faults have that word in them. */
export function taggedCheck(schema: TSchema, compile: Compile): Check {
  const checks = new Map((schema.anyOf as TObject[]).map((object) => [object.properties.type!.const, compile(object)]));
  const expected = [...checks.keys()].map((tag) => `'${tag}'`).join(', ');
  return (value, findings) => {
    if (!isObject(value)) {
      const msg = 'Input should be a valid dictionary or object to extract fields from';
      return addFault(findings, 'model_attributes_type', msg, value);
    }
    const tag = value.type;
    if (tag === undefined) {
      const msg = "Unable to extract tag using discriminator 'type'";
      return addFault(findings, 'union_tag_not_found', msg, value, { discriminator: "'type'" });
    }
    const check = typeof tag === 'string' ? checks.get(tag) : undefined;
    if (!check) {
      const shown = (typeof tag === 'string' ? tag : beginExactJsonText(tag, TAG_CHARS_MAX)).slice(0, TAG_CHARS_MAX);
      const msg = `Input tag '${shown}' found using 'type' does not match any of the expected tags: ${expected}`;
      const ctx = { discriminator: "'type'", tag: shown, expected_tags: expected };
      return addFault(findings, 'union_tag_invalid', msg, value, ctx);
    }
    findings.loc.push(tag as string);
    const checked = check(value, findings);
    findings.loc.pop();
    return checked;
  };
}

/** Characters of a wrong tag that a fault repeats. */
const TAG_CHARS_MAX = 100;

/** Reads `[text, list]`, whichever of them came. */
export function textOrListCheck(schema: TSchema, compile: Compile): Check {
  const [text, list] = (schema.anyOf as TSchema[]).map(compile);
  return (value, findings) => (Array.isArray(value) ? list! : text!)(value, findings);
}
