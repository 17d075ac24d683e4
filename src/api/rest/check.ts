import { Kind, OptionalKind, type TSchema } from '@sinclair/typebox';
import { type ExactJson, type ExactJsonObject, ExactNumber } from '../../base/exact-json.ts';
import { parseDateTime } from '../../model/datetime.ts';
import { FAULT_COUNT_MAX } from '../../model/limits.ts';
import { RULE } from './schema.ts';

/** One thing wrong with a request: an item of `detail` in the 422 that public clients read. */
export interface Fault {
  readonly type: string;
  /** `query`, `path` or `body`, then keys and indices down to the place. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** What came; for a missing field the object that should hold it. */
  readonly input: ExactJson;
  readonly ctx?: Readonly<Record<string, ExactJson>>;
}

/** Where faults gather. `loc` is the place being checked now. */
export interface Findings {
  readonly faults: Fault[];
  readonly loc: (string | number)[];
}

/**
 * Reads a value as its schema says, with the leniency that clients are used to: `"5"`, `5.0` and `5` are integers,
 * `"yes"` and `1` are true. Returns the typed value; after a fault what it returns means nothing.
 */
export type Check = (value: ExactJson, findings: Findings) => unknown;

/** Makes the check of a schema, once for a route. */
export function compileCheck(schema: TSchema): Check {
  const check = compileKind(schema);
  const rule: ((value: unknown) => string | undefined) | undefined = Reflect.get(schema, RULE);
  return rule === undefined ? check : withRule(check, rule);
}

/** A field of an object: its default when absent, else a fault, unless it may be absent. */
export function compileField(schema: TSchema): {
  readonly check: Check;
  readonly whenAbsent: 'default' | 'skip' | 'fault';
  readonly defaultValue: unknown;
} {
  const whenAbsent = 'default' in schema ? 'default' : OptionalKind in schema ? 'skip' : 'fault';
  return { check: compileCheck(schema), whenAbsent, defaultValue: schema.default };
}

/** Notes a fault at the present place; past `FAULT_COUNT_MAX` further ones are dropped. */
export function addFault(
  { faults, loc }: Findings,
  type: string,
  msg: string,
  input: ExactJson,
  ctx?: Fault['ctx'],
): undefined {
  if (faults.length < FAULT_COUNT_MAX) faults.push({ type, loc: [...loc], msg, input, ...(ctx && { ctx }) });
  return undefined;
}

function compileKind(schema: TSchema): Check {
  switch (schema[Kind]) {
    case 'Object':
      return objectCheck(schema);
    case 'Array':
      return listCheck(schema);
    case 'String':
      return stringCheck(schema);
    case 'Integer':
      return integerCheck(schema);
    case 'Number':
      return checkNumber;
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
  if (schema.enum) return wordCheck(schema.enum as readonly string[]);
  if (schema.type === 'object') return checkJsonObject;
  return (value) => value;
}

/** `anyOf: [schema, null]`, the only union here. */
function nullableCheck(schema: TSchema): Check {
  const [inner, none, ...others] = schema.anyOf as TSchema[];
  if (inner === undefined || none?.[Kind] !== 'Null' || others.length > 0) throw new Error('a union must be Nullable');
  const check = compileCheck(inner);
  return (value, findings) => (value === null ? null : check(value, findings));
}

function withRule(check: Check, rule: (value: unknown) => string | undefined): Check {
  return (value, findings) => {
    const faultCount = findings.faults.length;
    const checked = check(value, findings);
    if (findings.faults.length > faultCount) return undefined;
    const problem = rule(checked);
    if (problem === undefined) return checked;
    return addFault(findings, 'value_error', `Value error, ${problem}`, value, { error: {} });
  };
}

function objectCheck(schema: TSchema): Check {
  const fields = Object.entries(schema.properties as Record<string, TSchema>).map(([name, field]) => ({
    name,
    ...compileField(field),
  }));
  return (value, findings) => {
    if (!isObject(value)) {
      const msg = 'Input should be a valid dictionary or object to extract fields from';
      return addFault(findings, 'model_attributes_type', msg, value);
    }
    const checked: Record<string, unknown> = {};
    for (const { name, check, whenAbsent, defaultValue } of fields) {
      const field = value[name];
      if (field === undefined && whenAbsent === 'skip') continue;
      if (field === undefined && whenAbsent === 'default') {
        checked[name] = defaultValue;
        continue;
      }
      findings.loc.push(name);
      if (field === undefined) addFault(findings, 'missing', 'Field required', value);
      else checked[name] = check(field, findings);
      findings.loc.pop();
    }
    return checked;
  };
}

function listCheck(schema: TSchema): Check {
  const check = compileCheck(schema.items as TSchema);
  const min: number = schema.minItems ?? 0;
  const max: number = schema.maxItems ?? Number.POSITIVE_INFINITY;
  return (value, findings) => {
    if (!Array.isArray(value)) return addFault(findings, 'list_type', 'Input should be a valid list', value);
    const ctx = { field_type: 'List', actual_length: value.length };
    if (value.length < min) {
      const msg = `List should have at least ${plural(min, 'item')} after validation, not ${value.length}`;
      return addFault(findings, 'too_short', msg, value, { ...ctx, min_length: min });
    }
    if (value.length > max) {
      const msg = `List should have at most ${plural(max, 'item')} after validation, not ${value.length}`;
      return addFault(findings, 'too_long', msg, value, { ...ctx, max_length: max });
    }
    return value.map((item, index) => {
      findings.loc.push(index);
      const checked = check(item, findings);
      findings.loc.pop();
      return checked;
    });
  };
}

function stringCheck(schema: TSchema): Check {
  const min: number = schema.minLength ?? 0;
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  return (value, findings) => {
    if (typeof value !== 'string') return addFault(findings, 'string_type', 'Input should be a valid string', value);
    if (value.length >= min && pattern?.test(value) === false) {
      const msg = `String should match pattern '${schema.pattern}'`;
      return addFault(findings, 'string_pattern_mismatch', msg, value, { pattern: schema.pattern });
    }
    if (value.length >= min) return value;
    const msg = `String should have at least ${plural(min, 'character')}`;
    return addFault(findings, 'string_too_short', msg, value, { min_length: min });
  };
}

function integerCheck(schema: TSchema): Check {
  const above: number = schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  const max: number = schema.maximum ?? Number.POSITIVE_INFINITY;
  return (value, findings) => {
    const number = readInteger(value, findings);
    if (number === undefined) return undefined;
    if (number <= above) {
      return addFault(findings, 'greater_than', `Input should be greater than ${above}`, value, { gt: above });
    }
    if (number > max) {
      return addFault(findings, 'less_than_equal', `Input should be less than or equal to ${max}`, value, { le: max });
    }
    return number;
  };
}

/** Beyond 2^53 the nearest double: every limit and id in use is far below. */
function readInteger(value: ExactJson, findings: Findings): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string') {
    const text = value.trim();
    if (INTEGER_TEXT.test(text)) return Number(text.replaceAll('_', ''));
    const msg = 'Input should be a valid integer, unable to parse string as an integer';
    return addFault(findings, 'int_parsing', msg, value);
  }
  if (!isNumber(value)) return addFault(findings, 'int_type', 'Input should be a valid integer', value);
  const number = Number(value);
  if (Number.isInteger(number)) return number;
  const msg = 'Input should be a valid integer, got a number with a fractional part';
  return addFault(findings, 'int_from_float', msg, value);
}

/** What JSON cannot say (`NaN`) has become null before. */
const checkNumber: Check = (value, findings) => {
  if (typeof value === 'boolean' || isNumber(value)) return Number(value);
  if (typeof value !== 'string') return addFault(findings, 'float_type', 'Input should be a valid number', value);
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isFinite(number)) return number;
  const msg = 'Input should be a valid number, unable to parse string as a number';
  return addFault(findings, 'float_parsing', msg, value);
};

const checkBoolean: Check = (value, findings) => {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : isNumber(value) ? String(Number(value)) : undefined;
  if (word === undefined) return addFault(findings, 'bool_type', 'Input should be a valid boolean', value);
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  return addFault(findings, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input', value);
};

const checkDateTime: Check = (value, findings) => {
  if (typeof value !== 'string' && !isNumber(value)) {
    return addFault(findings, 'datetime_type', 'Input should be a valid datetime', value);
  }
  const time = parseDateTime(typeof value === 'string' ? value : decimalText(value));
  if (!('problem' in time)) return time;
  const msg = `Input should be a valid datetime or date, ${time.problem}`;
  return addFault(findings, 'datetime_from_date_parsing', msg, value, { error: time.problem });
};

const checkJsonObject: Check = (value, findings) =>
  isObject(value) ? value : addFault(findings, 'dict_type', 'Input should be a valid dictionary', value);

function wordCheck(words: readonly string[]): Check {
  const quoted = words.map((word) => `'${word}'`);
  const expected = quoted.length < 2 ? quoted.join() : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return (value, findings) =>
    typeof value === 'string' && words.includes(value)
      ? value
      : addFault(findings, 'literal_error', `Input should be ${expected}`, value, { expected });
}

const isObject = (value: ExactJson): value is ExactJsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

const isNumber = (value: ExactJson): value is number | ExactNumber =>
  typeof value === 'number' || value instanceof ExactNumber;

/** `1.7e9` is a Unix time, too, but `parseDateTime` reads digits. */
function decimalText(value: number | ExactNumber): string {
  const text = value instanceof ExactNumber ? value.text : String(value);
  return /[eE]/.test(text) ? Number(text).toFixed(9) : text;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const INTEGER_TEXT = /^[+-]?\d+(?:_\d+)*(?:\.0*)?$/;
const TRUE_WORDS = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const FALSE_WORDS = new Set(['0', 'false', 'f', 'no', 'n', 'off']);
