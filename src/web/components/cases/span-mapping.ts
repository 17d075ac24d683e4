import type { PreviewExamplesData } from './generated/cases.ts';

export const SIDES = ['input', 'output', 'metadata'] as const;
export type Side = (typeof SIDES)[number];

/** Field of an example and the path to its value in a span. An empty name stands for the members of the value. */
export interface MappedField {
  readonly name: string;
  readonly path: string;
}

/** Rule that makes an example from a span. A side that is null follows the default of the server. */
export type SpanMapping = Readonly<Record<Side, readonly MappedField[] | null>>;

export const DEFAULT_MAPPING: SpanMapping = { input: null, output: null, metadata: null };

export type PreviewedExample = PreviewExamplesData['previewSpanExamples'][number];

/** The mapping without rows that the user has not completed. */
export const toSentMapping = (mapping: SpanMapping): SpanMapping => {
  const complete = (fields: readonly MappedField[] | null) =>
    fields?.map(({ name, path }) => ({ name: name.trim(), path: path.trim() })).filter(({ path }) => path !== '') ??
    null;
  return { input: complete(mapping.input), output: complete(mapping.output), metadata: complete(mapping.metadata) };
};

/** Fields that show the default of a side, as a start of its own mapping. */
export const toFields = (side: Side, example: PreviewedExample | undefined): MappedField[] => {
  const keys = Object.keys((example?.[side] as object | undefined) ?? {});
  if (keys.length === 0) return [{ name: '', path: side }];
  return keys.map((key) => ({ name: key, path: `${side}${toStep(key)}` }));
};

/** A step of a path to a key. */
export const toStep = (key: string): string =>
  /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(key) ? `.${key}` : `['${key.replace(/[\\']/g, '\\$&')}']`;

const SUGGESTED_COUNT_MAX = 200;
const SUGGESTED_DEPTH_MAX = 4;

/** Paths to values of the default example, and to fields that every span has. */
export function suggestPaths(example: PreviewedExample | undefined): string[] {
  const paths = ['span.name', 'span.kind', 'span.status_code', 'span.status_message', 'span.trace_id', 'annotations'];
  const visit = (value: unknown, path: string, depth: number) => {
    if (paths.length >= SUGGESTED_COUNT_MAX) return;
    paths.push(path);
    if (depth >= SUGGESTED_DEPTH_MAX || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      if (value.length > 0) visit(value[0], `${path}[0]`, depth + 1);
      if (value.length > 1) visit(value.at(-1), `${path}[-1]`, depth + 1);
      return;
    }
    for (const [key, member] of Object.entries(value)) visit(member, `${path}${toStep(key)}`, depth + 1);
  };
  for (const side of SIDES) if (example) visit(example[side], side, 0);
  return [...new Set(paths)];
}

/** Text of a count of repeated examples, or undefined when there is none. */
export function describeRepeated(spanCount: number, contentCount: number): string | undefined {
  const parts = [
    ...(spanCount > 0 ? [`${spanCount.toLocaleString('en')} already in the dataset`] : []),
    ...(contentCount > 0 ? [`${contentCount.toLocaleString('en')} with the same content`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}
