import type { Json } from '../../../../semconv/read-open-inference.ts';

/** A text of a program: literal parts, and values of variables between them. */
export class TemplateValue {
  readonly parts: readonly TemplatePart[];

  constructor(parts: readonly TemplatePart[]) {
    this.parts = parts;
  }
}

export type TemplatePart = { readonly text: string } | { readonly variable: string };

/** A value that a program contains. An object is a map, so that no key has a meaning. */
export type CodeValue =
  | string
  | number
  | boolean
  | null
  | TemplateValue
  | readonly CodeValue[]
  | ReadonlyMap<string, CodeValue>;

export function fromJson(value: Json): CodeValue {
  if (typeof value !== 'object' || value === null) return value as string | number | boolean | null;
  if (Array.isArray(value)) return value.map((item) => fromJson(item as Json));
  return new Map(Object.entries(value).map(([key, item]) => [key, fromJson(item as Json)]));
}

/** A map of the fields that have a value. */
export const toMap = (fields: readonly (readonly [string, CodeValue | undefined])[]): ReadonlyMap<string, CodeValue> =>
  new Map(fields.filter((field): field is [string, CodeValue] => field[1] !== undefined));

/** Parts of a text, divided after each line, because long lines are hard to read. */
export function linesOf({ parts }: TemplateValue): readonly TemplatePart[] {
  return parts.flatMap((part): readonly TemplatePart[] =>
    'variable' in part ? [part] : (part.text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((text) => ({ text })),
  );
}
