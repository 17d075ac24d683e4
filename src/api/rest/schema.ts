import {
  type NumberOptions,
  type ObjectOptions,
  type SchemaOptions,
  type Static,
  type StringOptions,
  type TArray,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox';
import type { ExactJson, ExactJsonObject, ExactNumeric } from '../../base/exact-json.ts';
import { PAGE_ROW_COUNT_MAX } from '../../model/limits/reads.ts';
import type { DateTime as DateTimeValue } from '../../model/time/datetime.ts';

// The vocabulary of the routes' schemas: TypeBox's own kinds and these. `check.ts` knows how to check each of
// them, and they are JSON schemas as they stand, so `openapi.ts` prints them.

/** A point in time in the notation of a caller. */
export const DateTime = (options: SchemaOptions = {}) =>
  Type.Unsafe<DateTimeValue>({ ...options, type: 'string', format: 'date-time' });

/** A point in time in a response: UTC, `YYYY-MM-DDTHH:MM:SS[.ffffff]+00:00`. */
export const DateTimeText = (options: StringOptions = {}) => Type.String({ ...options, format: 'date-time' });

/** An object with any values. Its numbers keep their notation. */
export const JsonObject = (options: SchemaOptions = {}) =>
  Type.Unsafe<ExactJsonObject>({ ...options, type: 'object', additionalProperties: true });

/** Any JSON value. */
export const AnyJson = (options: SchemaOptions = {}) => Type.Unsafe<ExactJson>({ ...options });

export const Nullable = <Schema extends TSchema>(schema: Schema, options: SchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options);

/** One of these words. */
export const OneOf = <const Word extends string>(words: readonly Word[], options: SchemaOptions = {}) =>
  Type.Unsafe<Word>({ ...options, type: 'string', enum: [...words] });

/** Like `OneOf`, with the issue type of an enumeration. */
export const EnumOf = <const Word extends string>(words: readonly Word[], options: SchemaOptions = {}) =>
  Object.assign({}, OneOf(words, options), { [ISSUE_TYPE]: 'enum' });

/** A number in a body, which keeps its notation. */
export const ExactFloat = (options: NumberOptions = {}) => Type.Unsafe<ExactNumeric>({ ...options, type: 'number' });
export const ExactInteger = (options: NumberOptions = {}) => Type.Unsafe<ExactNumeric>({ ...options, type: 'integer' });

/** An object that rejects unknown fields. */
export const StrictObject = <Fields extends TProperties>(fields: Fields, options: ObjectOptions = {}) =>
  Type.Object(fields, { ...options, additionalProperties: false });

/** One of these objects, by the constant in their field `type`. */
export const Tagged = <Value>(objects: readonly TObject[], options: SchemaOptions = {}) =>
  Type.Unsafe<Value>({ ...options, anyOf: [...objects], discriminator: { propertyName: 'type' } });

/** A text, or a list. */
export const TextOr = <Value>(list: TArray) => Type.Unsafe<string | Value>({ anyOf: [Type.String(), list] });

/** A text without surrounding blanks, of at least one character. */
export const TrimmedText = (options: StringOptions = {}) =>
  Object.assign({}, Type.String({ ...options, minLength: 1 }), { [TRIMS]: true });

/** An object that must also satisfy a rule over its fields. `rule` returns the problem. */
export const Ruled = <Schema extends TSchema>(schema: Schema, rule: (value: Static<Schema>) => string | undefined) =>
  Object.assign({}, schema, { [RULE]: rule });

/** Where `Ruled` keeps its rule: a symbol is no part of the printed schema. */
export const RULE: unique symbol = Symbol('rule');
/** Where `EnumOf` keeps the type of its issue. */
export const ISSUE_TYPE: unique symbol = Symbol('issue type');
/** Marks `TrimmedText`. */
export const TRIMS: unique symbol = Symbol('trims');

/** `limit` of a list that the server caps. */
export const limitOf = (defaultCount: number) =>
  Type.Integer({
    default: defaultCount,
    exclusiveMinimum: 0,
    description: `Rows of the page. A page holds at most ${PAGE_ROW_COUNT_MAX}.`,
  });

export const OpenLimit = limitOf(100);

/** `limit` of a list that rejects a higher value. */
export const BoundedLimit = Type.Integer({
  default: 100,
  exclusiveMinimum: 0,
  maximum: PAGE_ROW_COUNT_MAX,
  description: 'Rows of the page.',
});

export const Cursor = Type.Optional(
  Type.String({ description: '`next_cursor` of the previous page. It names the first row of this page.' }),
);

export const NextCursor = Nullable(Type.String(), { description: 'Cursor of the next page. Null on the last page.' });

/** Response of lists. */
export const PageOf = <Schema extends TSchema>(row: Schema) =>
  Type.Object({ data: Type.Array(row), next_cursor: NextCursor });

export const DataOf = <Schema extends TSchema>(value: Schema) => Type.Object({ data: value });
