import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import { ArgumentError, InputError } from '../../errors.ts';
import { compileRegex } from '../regex.ts';

/** Why a value does not fit a schema. */
export interface SchemaProblem {
  /** JSON pointer of the value, empty for the whole. */
  readonly path: string;
  readonly problem: string;
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
/**
 * The draft without unknown keywords at any depth, since an unknown keyword would be ignored and each value would fit.
 * Names that start with `x-` are notes, and `strict` belongs to vendors. Keywords of earlier drafts are no longer checked by all validators.
 */
const STRICT_DRAFT = {
  ...{ $id: 'urn:spandrel:strict', $schema: DRAFT, $dynamicAnchor: 'meta', $ref: DRAFT },
  properties: { strict: true, dependencies: false, $recursiveAnchor: false, $recursiveRef: false },
  ...{ patternProperties: { '^x-': true }, unevaluatedProperties: false },
};
const OPTIONS: Options = {
  ...{ strict: false, logger: false, ownProperties: true, validateFormats: false, multipleOfPrecision: 9 },
  code: { regExp: Object.assign(toRegExp, { code: 'toRegExp' }) },
};

let isStrict: ReturnType<Ajv2020['compile']> | undefined;

/**
 * A check of values by JSON Schema (draft 2020-12). Formats are not checked.
 *
 * @throws {ArgumentError} for a schema that cannot be used, or has an unknown keyword
 */
export function compileSchema(schema: unknown): (value: unknown) => SchemaProblem | undefined {
  isStrict ??= new Ajv2020(OPTIONS).compile(STRICT_DRAFT);
  if (!runs(() => isStrict?.(schema), ArgumentError)) throw new ArgumentError(describe(isStrict.errors));
  // The value of `$schema` is known, and its document is not loaded.
  const plain = typeof schema === 'object' ? { ...schema, $schema: undefined } : (schema as boolean);
  const validate = runs(() => new Ajv2020({ ...OPTIONS, validateSchema: false }).compile(plain), ArgumentError);
  return (value) => {
    if (runs(() => validate(value), InputError)) return undefined;
    const [first] = validate.errors ?? [];
    return { path: first?.instancePath ?? '', problem: toProblem(first) };
  };
}

/** The first problem of a value, or undefined when it fits. @throws {ArgumentError} for a schema that cannot be used */
export const findSchemaProblem = (schema: unknown, value: unknown): SchemaProblem | undefined =>
  compileSchema(schema)(value);

function toRegExp(pattern: string) {
  const regex = compileRegex(pattern);
  // The validator finds a compiled pattern again by its text.
  return { test: (text: string) => regex.count(text) > 0, toString: () => pattern };
}

/** What the validator throws, as an error of this package. */
function runs<Result>(run: () => Result, Failure: typeof ArgumentError | typeof InputError): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof ArgumentError || error instanceof InputError) throw error;
    if (error instanceof RangeError) throw new Failure('The JSON schema refers to itself, or is nested too deeply.');
    throw new Failure(`The JSON schema cannot be used: ${(error as Error).message}.`);
  }
}

function describe(errors: readonly ErrorObject[] | null | undefined): string {
  const unknown = errors?.find(({ keyword }) => keyword === 'unevaluatedProperties' || keyword === 'false schema');
  if (unknown) {
    const [, place, last] = /^(.*)\/(.*)$/s.exec(unknown.instancePath) ?? [];
    const { unevaluatedProperty = last } = unknown.params;
    const where = unevaluatedProperty === last ? place : unknown.instancePath;
    return `The keyword '${unevaluatedProperty}' of JSON Schema is not supported (in #${where}). Remove it, or use another validator.`;
  }
  return `#${errors?.[0]?.instancePath} of the JSON schema ${errors?.[0]?.message}.`;
}

function toProblem(error: ErrorObject | undefined): string {
  const key: unknown = error?.params.additionalProperty;
  return `${error?.message ?? 'does not fit'}${key === undefined ? '' : `: '${key}'`}`;
}
