import type { Json } from '../../../semconv/read-open-inference.ts';
import type { TemplateVariable } from '../../components/prompt/variant/variables.ts';
import { parseJson } from '../../components/prompt/variant/variant.ts';

/** An input of an evaluator, from its JSON schema. */
export interface InputField {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isFlag: boolean;
  readonly isOnAtFirst: boolean;
  /** Whether a fixed value is read as JSON where it is JSON. Otherwise it is text. Default false. */
  readonly isJson?: boolean;
}

/** Whether each required input has a source. */
export const hasSources = (fields: readonly InputField[], draft: InputDraft): boolean =>
  fields.every((field) => !field.isRequired || (draft.get(field.name) ?? suggestSource(field)).text.trim() !== '');

/** What a user has entered for an input: a path into the example, or a fixed value. */
export interface InputSource {
  readonly kind: 'path' | 'literal';
  readonly text: string;
}

/** Sources by name of the input. */
export type InputDraft = ReadonlyMap<string, InputSource>;

interface Schema {
  readonly properties?: Readonly<
    Record<string, { readonly type?: string; readonly description?: string; readonly default?: unknown }>
  >;
  readonly required?: readonly string[];
}

export function fieldsOf(inputSchema: unknown): readonly InputField[] {
  const { properties = {}, required = [] } = (inputSchema ?? {}) as Schema;
  return Object.entries(properties)
    .map(([name, { type, description = '', default: value }]) => ({
      name,
      description,
      isRequired: required.includes(name),
      isFlag: type === 'boolean',
      isOnAtFirst: value === true,
    }))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

/** Inputs of code, whose type may be any. */
export function codeFieldsOf(inputSchema: unknown): readonly InputField[] {
  const { properties = {} } = (inputSchema ?? {}) as Schema;
  return fieldsOf(inputSchema).map((field) => {
    const type = Object.hasOwn(properties, field.name) ? properties[field.name]?.type : undefined;
    return { ...field, description: type ?? '', isFlag: false, isJson: type !== 'string' };
  });
}

/** Inputs of a prompt. `a.b` is a part of the input `a`. */
export function variableFieldsOf(variables: readonly TemplateVariable[]): readonly InputField[] {
  const fields = new Map<string, InputField>();
  for (const { name: variable, isRequired } of variables) {
    const name = variable.split('.')[0]!;
    const before = fields.get(name);
    fields.set(name, {
      ...{ name, description: '', isFlag: false, isOnAtFirst: false },
      isRequired: isRequired || before?.isRequired === true,
    });
  }
  return [...fields.values()];
}

/** Values that a path can use. An input with one of these names has it without a path. */
export const CONTEXT_NAMES: readonly string[] = ['input', 'output', 'reference', 'metadata'];

/** Suggested paths of inputs that usually mean the same. */
const SUGGESTED: ReadonlyMap<string, string> = new Map([
  ...CONTEXT_NAMES.map((name) => [name, name] as const),
  ['answer', 'output'],
  ['question', 'input'],
  ['expected_output', 'reference'],
  ['text', 'output'],
  ['actual', 'output'],
  ['expected', 'reference'],
]);
const LITERAL_NAMES: ReadonlySet<string> = new Set(['words', 'pattern', 'criteria']);

interface StoredMapping {
  readonly literalMapping: unknown;
  readonly pathMapping: unknown;
}

/** Sources of the inputs of a stored mapping, or suggestions for a new one. */
export function inputsOf(fields: readonly InputField[], mapping?: StoredMapping): InputDraft {
  const suggested = new Map(fields.map((field): [string, InputSource] => [field.name, suggestSource(field)]));
  if (!mapping) return suggested;
  // A stored mapping without a path means that the input has none, unless its name leads to a value.
  const rest = [...suggested].map(([name, source]): [string, InputSource] =>
    source.kind === 'path' && !CONTEXT_NAMES.includes(name) ? [name, { kind: 'path', text: '' }] : [name, source],
  );
  return new Map([...rest, ...storedSources(mapping)]);
}

/** Sources of a stored mapping. */
export function storedSources(mapping: StoredMapping): InputDraft {
  const paths = mapping.pathMapping as Readonly<Record<string, string>>;
  const literals = mapping.literalMapping as Readonly<Record<string, unknown>>;
  return new Map<string, InputSource>([
    ...Object.entries(paths).map(([name, text]) => [name, { kind: 'path', text }] as const),
    ...Object.entries(literals).map(
      ([name, value]) =>
        [name, { kind: 'literal', text: typeof value === 'string' ? value : JSON.stringify(value) }] as const,
    ),
  ]);
}

/** The source of an input that the user has not touched. */
export function suggestSource({ name, isFlag, isOnAtFirst }: InputField): InputSource {
  if (isFlag) return { kind: 'literal', text: String(isOnAtFirst) };
  if (LITERAL_NAMES.has(name)) return { kind: 'literal', text: '' };
  return { kind: 'path', text: SUGGESTED.get(name) ?? '' };
}

/** The shortest of the paths whose last key is the name of an input. */
export const findPathOf = (name: string, paths: readonly string[]): string | undefined =>
  paths.filter((path) => path.endsWith(`.${name}`)).toSorted((a, b) => a.length - b.length)[0];

/** The mapping that the server stores. An input without a source is absent. */
export function toApiMapping(fields: readonly InputField[], draft: InputDraft) {
  const pathMapping: [string, string][] = [];
  const literalMapping: [string, Json][] = [];
  for (const field of fields) {
    const { name, isFlag, isJson } = field;
    const { kind, text } = draft.get(name) ?? suggestSource(field);
    if (text === '') continue;
    if (kind === 'path') pathMapping.push([name, text.trim()]);
    else literalMapping.push([name, isFlag ? text === 'true' : isJson ? (parseJson(text) ?? text) : text]);
  }
  return { pathMapping: Object.fromEntries(pathMapping), literalMapping: Object.fromEntries(literalMapping) };
}
