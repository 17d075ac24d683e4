import { FIRST_PAGE_ROW_COUNT, SIZED_CHARS_MAX, SPAN_BATCH_ROW_COUNT } from '../limits.ts';
import { bodyOf, type ToolContext } from '../tool.ts';

/** Length of a value as a text. */
const lengthOf = (value: unknown): number =>
  value === undefined ? 0 : (typeof value === 'string' ? value : JSON.stringify(value)).length;

const toBatches = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / SPAN_BATCH_ROW_COUNT) }, (_, index) =>
    ids.slice(index * SPAN_BATCH_ROW_COUNT, (index + 1) * SPAN_BATCH_ROW_COUNT),
  );

/** Sizes of the bodies of spans, as the end of a line. Reads at most `SIZED_CHARS_MAX`; later spans have none. */
export async function readSizesOf(
  ids: readonly string[],
  project: string,
  { client, signal }: ToolContext,
): Promise<Map<string, string>> {
  const sizes = new Map<string, string>();
  let chars = 0;
  for (let start = 0, count = FIRST_PAGE_ROW_COUNT; start < ids.length && chars < SIZED_CHARS_MAX; start += count) {
    // Large spans are read a few at a time.
    if (start > 0) count = (chars / start) * SPAN_BATCH_ROW_COUNT < SIZED_CHARS_MAX / 4 ? SPAN_BATCH_ROW_COUNT : count;
    const batch = ids.slice(start, start + count);
    const params = {
      path: { project_identifier: project },
      query: { span_id: batch, limit: SPAN_BATCH_ROW_COUNT },
    };
    const { data } = await bodyOf(client.GET('/v1/projects/{project_identifier}/spans', { params, signal }));
    for (const { context, attributes } of data) {
      const all = lengthOf(attributes);
      chars += all;
      const [input, output] = [attributes['input.value'], attributes['output.value']].map(lengthOf);
      sizes.set(context.span_id, ` in ${input} out ${output} all ${all}`);
    }
  }
  return sizes;
}

/** Annotations of spans, without fields that are empty. */
export async function readAnnotationsOf(
  ids: readonly string[],
  project: string,
  { client, signal }: ToolContext,
): Promise<unknown[]> {
  const annotations: unknown[] = [];
  for (const batch of toBatches(ids)) {
    const params = { path: { project_identifier: project }, query: { span_ids: batch, limit: 1_000 } };
    const call = client.GET('/v1/projects/{project_identifier}/span_annotations', { params, signal });
    for (const { span_id, name, annotator_kind, result } of (await bodyOf(call)).data) {
      annotations.push({ span_id, name, annotator_kind, ...result });
    }
  }
  return annotations;
}
