import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { COMPILED_SCHEMA_COUNT_MAX } from '../../model/limits/sandbox.ts';

export type CompiledSchema = { readonly check: (value: unknown) => string | null } | { readonly problem: string };

/** Compiled schemas by their text, the least recently used first. */
const compiledSchemas = new Map<string, CompiledSchema>();

export function compileSchema(text: string): CompiledSchema {
  const compiled = compiledSchemas.get(text) ?? compile(text);
  compiledSchemas.delete(text);
  compiledSchemas.set(text, compiled);
  for (const oldest of compiledSchemas.keys()) {
    if (compiledSchemas.size <= COMPILED_SCHEMA_COUNT_MAX) break;
    compiledSchemas.delete(oldest);
  }
  return compiled;
}

const OPTIONS: Options = {
  // People bring schemas with keywords of vendors.
  strict: false,
  logger: false,
  // The members of a prototype are no members of a value.
  ownProperties: true,
  addUsedSchema: false,
};

type Draft = 'draft-07' | '2020-12';

const NEW_AJV: Readonly<Record<Draft, (options: Options) => Ajv>> = {
  'draft-07': (options) => new Ajv(options),
  '2020-12': (options) => new Ajv2020(options),
};

/** Instances that check schemas alone, so that no schema meets an identifier of another. */
const metaAjvs = new Map<Draft, Ajv>();

function compile(text: string): CompiledSchema {
  const schema: unknown = JSON.parse(text);
  if (typeof schema === 'boolean') return { check: () => (schema ? null : 'no value is valid') };
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return { problem: 'a schema is an object or a boolean' };
  }
  try {
    const draft = draftOf(schema);
    if ('problem' in draft) return draft;
    const ajv = NEW_AJV[draft.name]({ ...OPTIONS, meta: false, validateSchema: false });
    addFormats.default(ajv, { mode: 'fast' });
    // The value of `$schema` is known, and its document is not loaded.
    const validate = ajv.compile({ ...schema, $schema: undefined });
    return {
      check: (value) => (validate(value) ? null : describe(validate.errors?.[0], 'the value')),
    };
  } catch (error) {
    return { problem: toProblem(error) };
  }
}

/** The draft under which a schema is valid, or the problem. */
function draftOf(schema: object): { readonly name: Draft } | { readonly problem: string } {
  const given: unknown = Object.getOwnPropertyDescriptor(schema, '$schema')?.value;
  if (given !== undefined && typeof given !== 'string') return { problem: '$schema must be a string' };
  const isNew = given === undefined || given.includes('2020-12') || given.includes('2019-09');
  if (given !== undefined && !isNew && !/draft-0[67]/.test(given)) {
    return { problem: `$schema must be draft-07 or 2020-12, received ${given.slice(0, 100)}` };
  }
  const problem = isNew ? problemIn('2020-12', schema) : problemIn('draft-07', schema);
  if (problem === null) return { name: isNew ? '2020-12' : 'draft-07' };
  if (given === undefined && problemIn('draft-07', schema) === null) return { name: 'draft-07' };
  return { problem };
}

function problemIn(draft: Draft, schema: object): string | null {
  let ajv = metaAjvs.get(draft);
  if (!ajv) {
    ajv = NEW_AJV[draft](OPTIONS);
    metaAjvs.set(draft, ajv);
  }
  const validate = ajv.getSchema(META_IDS[draft]);
  return !validate || validate({ ...schema, $schema: META_IDS[draft] })
    ? null
    : describe(validate.errors?.[0], 'the schema');
}

const META_IDS: Readonly<Record<Draft, string>> = {
  'draft-07': 'http://json-schema.org/draft-07/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

const MESSAGE_CHARS_MAX = 500;

function describe(error: ErrorObject | undefined, whole: string): string {
  const where = error?.instancePath ? error.instancePath : whole;
  const values = error?.keyword === 'enum' ? `: ${JSON.stringify(error.params.allowedValues)}` : '';
  const extra = error?.keyword === 'additionalProperties' ? `: '${error.params.additionalProperty}'` : '';
  return `${where} ${error?.message ?? 'is invalid'}${values}${extra}`.slice(0, MESSAGE_CHARS_MAX);
}

function toProblem(error: unknown): string {
  if (error instanceof RangeError) return 'it nests too deeply';
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith("can't resolve reference")
    ? `${message.slice(0, 200)}: references into other documents are not followed`
    : message.slice(0, MESSAGE_CHARS_MAX);
}
