import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Kind, OptionalKind, type TSchema } from '@sinclair/typebox';
import { ExactNumber, type ExactNumeric } from '../../base/exact-json.ts';
import { parseDateTime } from '../../model/time/datetime.ts';
import { isNumber, numberCheck } from './check-number.ts';
import { taggedCheck, textOrListCheck } from './check-union.ts';
import { ISSUE_TYPE, RULE, TRIMS } from './schema.ts';
import { addIssue, type Check, isFull, isObject, plural, type ValidationContext } from './validation.ts';

/** Compiles the check of a schema. Called once per route. */
export function compileCheck(schema: TSchema): Check {
  const check = compileKind(schema);
  const rule: ((value: unknown) => string | undefined) | undefined = Reflect.get(schema, RULE);
  return rule === undefined ? check : withRule(check, rule);
}

/** Check of a field of an object, and what happens when the field is absent. */
export function compileField(schema: TSchema): {
  readonly check: Check;
  readonly whenAbsent: 'default' | 'skip' | 'issue';
  readonly defaultValue: unknown;
} {
  const whenAbsent = 'default' in schema ? 'default' : OptionalKind in schema ? 'skip' : 'issue';
  return { check: compileCheck(schema), whenAbsent, defaultValue: schema.default };
}

function compileKind(schema: TSchema): Check {
  switch (schema[Kind]) {
    case 'Object':
      return objectCheck(schema);
    case 'Array':
      return listCheck(schema);
    case 'String':
      return stringCheck(schema);
    case 'Integer': {
      const check = numberCheck(schema);
      return (value, context) => Number(check(value, context));
    }
    case 'Literal':
      return wordCheck([schema.const as string], 'literal_error');
    case 'Boolean':
      return checkBoolean;
    case 'Union':
      return nullableCheck(schema);
    case 'Unsafe':
      return unsafeCheck(schema);
    default:
      throw new Error(`no check for the schema kind ${String(schema[Kind])}`);
  }
}

function unsafeCheck(schema: TSchema): Check {
  if (schema.format === 'date-time') return checkDateTime;
  if (schema.enum)
    return wordCheck(schema.enum as readonly string[], Reflect.get(schema, ISSUE_TYPE) ?? 'literal_error');
  if (schema.type === 'integer' || schema.type === 'number') return numberCheck(schema);
  if (schema.type === 'object') return checkJsonObject;
  if (schema.discriminator) return taggedCheck(schema, compileCheck);
  if (schema.anyOf) return textOrListCheck(schema, compileCheck);
  return (value) => value;
}

/** `anyOf: [schema, null]`. Other unions are `Tagged` and `TextOr`. */
function nullableCheck(schema: TSchema): Check {
  const [inner, none, ...others] = schema.anyOf as TSchema[];
  if (inner === undefined || none?.[Kind] !== 'Null' || others.length > 0) throw new Error('a union must be Nullable');
  const check = compileCheck(inner);
  return (value, context) => (value === null ? null : check(value, context));
}

function withRule(check: Check, rule: (value: unknown) => string | undefined): Check {
  return (value, context) => {
    const issueCount = context.issues.length;
    const checked = check(value, context);
    // A rule reads valid values only. When the context is full, issues are not recorded.
    if (context.issues.length > issueCount || isFull(context)) return undefined;
    const problem = rule(checked);
    if (problem === undefined) return checked;
    return addIssue(context, 'value_error', `Value error, ${problem}`, value, { error: {} });
  };
}

function objectCheck(schema: TSchema): Check {
  const fields = Object.entries(schema.properties as Record<string, TSchema>).map(([name, field]) => ({
    name,
    ...compileField(field),
  }));
  const known = schema.additionalProperties === false ? new Set(fields.map(({ name }) => name)) : undefined;
  return (value, context) => {
    if (!isObject(value)) {
      const msg = 'Input should be a valid dictionary or object to extract fields from';
      return addIssue(context, 'model_attributes_type', msg, value);
    }
    const checked: Record<string, unknown> = {};
    for (const { name, check, whenAbsent, defaultValue } of fields) {
      const field = value[name];
      if (field === undefined && whenAbsent === 'skip') continue;
      if (field === undefined && whenAbsent === 'default') {
        checked[name] = defaultValue;
        continue;
      }
      context.loc.push(name);
      if (field === undefined) addIssue(context, 'missing', 'Field required', value);
      else checked[name] = check(field, context);
      context.loc.pop();
    }
    for (const [name, extra] of Object.entries(value)) {
      if (!known || known.has(name)) continue;
      context.loc.push(name);
      addIssue(context, 'extra_forbidden', 'Extra inputs are not permitted', extra);
      context.loc.pop();
    }
    return checked;
  };
}

function listCheck(schema: TSchema): Check {
  const check = compileCheck(schema.items as TSchema);
  const min: number = schema.minItems ?? 0;
  const max: number = schema.maxItems ?? Number.POSITIVE_INFINITY;
  return (value, context) => {
    if (!Array.isArray(value)) return addIssue(context, 'list_type', 'Input should be a valid list', value);
    const ctx = { field_type: 'List', actual_length: value.length };
    if (value.length < min) {
      const msg = `List should have at least ${plural(min, 'item')} after validation, not ${value.length}`;
      return addIssue(context, 'too_short', msg, value, { ...ctx, min_length: min });
    }
    if (value.length > max) {
      const msg = `List should have at most ${plural(max, 'item')} after validation, not ${value.length}`;
      return addIssue(context, 'too_long', msg, value, { ...ctx, max_length: max });
    }
    // Only lists directly in the body are checked later, because an outer value must not be read before its items.
    if (context.later && context.loc.length === 2 && value.length > TURN_ITEM_COUNT) {
      const checked: unknown[] = [];
      context.later.push({ list: value, checked, check, loc: [...context.loc] });
      return checked;
    }
    const checked: unknown[] = [];
    for (const [index, item] of value.entries()) {
      if (isFull(context)) break;
      context.loc.push(index);
      checked.push(check(item, context));
      context.loc.pop();
    }
    return checked;
  };
}

/** Items that are checked without yielding to the event loop. */
const TURN_ITEM_COUNT = 500;

/** Checks the collected items of long lists, yielding to the event loop. */
export async function checkLater({ issues, later = [] }: ValidationContext): Promise<void> {
  for (const { list, checked, check, loc } of later) {
    const context: ValidationContext = { issues, loc: [...loc] };
    for (const [index, item] of list.entries()) {
      if (isFull(context)) return;
      if (index % TURN_ITEM_COUNT === TURN_ITEM_COUNT - 1) await yieldToEventLoop();
      context.loc.push(index);
      checked.push(check(item, context));
      context.loc.pop();
    }
  }
}

function stringCheck(schema: TSchema): Check {
  const min: number = schema.minLength ?? 0;
  const max: number = schema.maxLength ?? Number.POSITIVE_INFINITY;
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern);
  const trims = TRIMS in schema;
  return (sent, context) => {
    if (typeof sent !== 'string') return addIssue(context, 'string_type', 'Input should be a valid string', sent);
    const value = trims ? sent.trim() : sent;
    if (value.length < min) {
      const msg = `String should have at least ${plural(min, 'character')}`;
      return addIssue(context, 'string_too_short', msg, value, { min_length: min });
    }
    if (value.length > max) {
      const msg = `String should have at most ${plural(max, 'character')}`;
      return addIssue(context, 'string_too_long', msg, value, { max_length: max });
    }
    if (!pattern || pattern.test(value)) return value;
    const msg = `String should match pattern '${schema.pattern}'`;
    return addIssue(context, 'string_pattern_mismatch', msg, value, { pattern: schema.pattern });
  };
}

const checkBoolean: Check = (value, context) => {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : isNumber(value) ? String(Number(value)) : undefined;
  if (word === undefined) return addIssue(context, 'bool_type', 'Input should be a valid boolean', value);
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  return addIssue(context, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input', value);
};

const checkDateTime: Check = (value, context) => {
  if (typeof value !== 'string' && !isNumber(value)) {
    return addIssue(context, 'datetime_type', 'Input should be a valid datetime', value);
  }
  const time = parseDateTime(typeof value === 'string' ? value : decimalText(value));
  if (!('problem' in time)) return time;
  const msg = `Input should be a valid datetime or date, ${time.problem}`;
  return addIssue(context, 'datetime_from_date_parsing', msg, value, { error: time.problem });
};

const checkJsonObject: Check = (value, context) =>
  isObject(value) ? value : addIssue(context, 'dict_type', 'Input should be a valid dictionary', value);

function wordCheck(words: readonly string[], issueType: string): Check {
  const quoted = words.map((word) => `'${word}'`);
  const expected = quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return (value, context) =>
    typeof value === 'string' && words.includes(value)
      ? value
      : addIssue(context, issueType, `Input should be ${expected}`, value, { expected });
}

/** `1.7e9` is a Unix time, too, but `parseDateTime` reads digits. */
function decimalText(value: ExactNumeric): string {
  const text = value instanceof ExactNumber ? value.text : String(value);
  return /[eE]/.test(text) ? Number(text).toFixed(9) : text;
}

const TRUE_WORDS = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const FALSE_WORDS = new Set(['0', 'false', 'f', 'no', 'n', 'off']);
