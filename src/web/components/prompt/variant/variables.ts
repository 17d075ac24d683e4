import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import { findTags } from '../../../../semconv/template-tags.ts';
import { parseJson, type Variant } from './variant.ts';

/** A variable of a template. */
export interface TemplateVariable {
  readonly name: string;
  /** Whether the template repeats or hides a part by it, so that its value is read as JSON. */
  readonly isSection: boolean;
  /** Whether the call fails without it. */
  readonly isRequired: boolean;
}

/** Variables of a variant in their order. Names inside of a section belong to its items and are left out. */
export function variablesOf({ messages, format }: Pick<Variant, 'messages' | 'format'>): readonly TemplateVariable[] {
  const found = new Map<string, TemplateVariable>();
  const add = (name: string, isSection: boolean, isRequired: boolean) => {
    const before = found.get(name);
    found.set(name, {
      name,
      isSection: isSection || before?.isSection === true,
      isRequired: isRequired || before?.isRequired === true,
    });
  };
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type !== 'text') continue;
    const open: { readonly isInverted: boolean }[] = [];
    for (const { kind, name } of findTags(part.text, format)) {
      const isInItem = open.some(({ isInverted }) => !isInverted);
      if (kind === 'end') open.pop();
      else if (kind === 'section' || kind === 'inverted') {
        if (!isInItem && name !== '.') add(name, true, kind === 'section' && open.length === 0);
        open.push({ isInverted: kind === 'inverted' });
      } else if (kind === 'variable' && !isInItem && name !== '.') add(name, false, open.length === 0);
    }
  }
  return [...found.values()];
}

/** Variables of all variants, each name once. */
export function mergeVariables(variants: readonly (readonly TemplateVariable[])[]): readonly TemplateVariable[] {
  const found = new Map<string, TemplateVariable>();
  for (const variable of variants.flat()) {
    const before = found.get(variable.name);
    found.set(variable.name, {
      name: variable.name,
      isSection: variable.isSection || before?.isSection === true,
      isRequired: variable.isRequired || before?.isRequired === true,
    });
  }
  return [...found.values()];
}

/** Names of required variables that a case lacks. */
export const missingOf = (variables: readonly TemplateVariable[], values: JsonObject): readonly string[] =>
  variables
    .filter(({ name, isRequired }) => isRequired && readValue(values, name) === undefined)
    .map(({ name }) => name);

/** The value of `a.b`, never of a prototype. */
export const readValue = (values: Json | undefined, name: string): Json | undefined =>
  name.split('.').reduce<Json | undefined>((at, key) => {
    if (Array.isArray(at)) return /^\d+$/.test(key) ? (at as readonly Json[])[Number(key)] : undefined;
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, values);

/**
 * Typed texts as the variables of a call. An empty text is no value. `a.b` becomes a field of `a`. The value of a section
 * is read as JSON where it is JSON.
 */
export function toVariables(
  variables: readonly TemplateVariable[],
  texts: Readonly<Record<string, string>>,
): JsonObject {
  const values = new Map<string, Json>();
  for (const { name, isSection } of variables) {
    const text = Object.hasOwn(texts, name) ? texts[name]! : '';
    if (text === '') continue;
    const value = isSection ? (parseJson(text) ?? text) : text;
    put(values, name.split('.'), value);
  }
  return toObject(values);
}

type Tree = Map<string, Json | Tree>;

function put(tree: Tree, [head = '', ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    tree.set(head, value);
    return;
  }
  const before = tree.get(head);
  const inner: Tree =
    before instanceof Map ? before : new Map(isObject(before as Json) ? Object.entries(before as JsonObject) : []);
  tree.set(head, inner);
  put(inner, rest, value);
}

const toObject = (tree: Tree): JsonObject =>
  Object.fromEntries([...tree].map(([key, value]) => [key, value instanceof Map ? toObject(value) : value]));
