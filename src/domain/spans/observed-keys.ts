import type { ExactJson, ExactJsonObject } from '../../base/exact-json.ts';
import {
  OBSERVED_CHARS_MAX,
  OBSERVED_KEY_COUNT_MAX,
  OBSERVED_SPAN_COUNT,
  OBSERVED_TRACE_COUNT,
} from '../../model/limits/reads.ts';
import { isJsonObject, joinAttributeParts } from '../../model/spans/nested-attributes.ts';
import type { TimeRange } from '../../span-store/contract/query-terms.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { SpanStoreReader } from '../../span-store/contract/span-store.ts';

/** Keys that root spans have, each sorted. */
export interface ObservedKeys {
  /** Flat names of attributes as they were sent, without those of metadata. */
  readonly attributes: readonly string[];
  readonly metadata: readonly string[];
}

/** Spans whose attributes are read at once, before their size is checked. */
const READ_SPAN_COUNT = 50;

/** Keys of the root spans of the newest traces: a sample that is limited in spans, size and keys. */
export async function observeKeys(
  reader: Pick<SpanStoreReader, 'get' | 'listRootSpans'>,
  query: TimeRange & { readonly projectId: number },
  options: ReadOptions,
): Promise<ObservedKeys> {
  const list = { ...query, roots: 'orphansToo', order: 'desc', limit: OBSERVED_TRACE_COUNT } as const;
  const { items } = await reader.listRootSpans(list, options);
  const keys = { attributes: new Set<string>(), metadata: new Set<string>() };
  await readAttributes(reader, items, options, ({ metadata, ...attributes }) => {
    if (isJsonObject(metadata)) addLeaves(keys.metadata, metadata);
    addLeaves(keys.attributes, attributes);
  });
  return { attributes: [...keys.attributes].sort(), metadata: [...keys.metadata].sort() };
}

/** Flat names of the attributes of the newest spans, lists included: a sample with the same limits. */
export async function observeSpanNames(
  reader: Pick<SpanStoreReader, 'get' | 'listSpans'>,
  query: TimeRange & { readonly projectId: number },
  options: ReadOptions,
): Promise<ReadonlySet<string>> {
  const { items } = await reader.listSpans({ ...query, order: 'desc', limit: OBSERVED_SPAN_COUNT }, options);
  const names = new Set<string>();
  await readAttributes(reader, items, options, (attributes) => addLeaves(names, attributes, { hasLists: true }));
  return names;
}

async function readAttributes(
  reader: Pick<SpanStoreReader, 'get'>,
  items: readonly { readonly span: { readonly rowId: number } }[],
  options: ReadOptions,
  add: (attributes: ExactJsonObject) => void,
): Promise<void> {
  const rowIds = items.map(({ span }) => span.rowId);
  let chars = 0;
  for (let from = 0; from < rowIds.length && chars < OBSERVED_CHARS_MAX; from += READ_SPAN_COUNT) {
    const bodies = await reader.get(
      { of: 'spans', column: 'body', rowIds: rowIds.slice(from, from + READ_SPAN_COUNT) },
      options,
    );
    for (const { attributeParts } of bodies.values()) {
      for (const part of attributeParts) chars += part.length;
      add(joinAttributeParts(attributeParts));
    }
  }
}

/** Dotted names of values that are not objects. Values in lists have no name in filters. */
function addLeaves(
  names: Set<string>,
  object: ExactJsonObject,
  { prefix = '', hasLists = false }: { readonly prefix?: string; readonly hasLists?: boolean } = {},
): void {
  for (const [key, value] of Object.entries(object) as [string, ExactJson][]) {
    if (names.size >= OBSERVED_KEY_COUNT_MAX) return;
    if (isJsonObject(value)) addLeaves(names, value, { prefix: `${prefix}${key}.`, hasLists });
    else if (hasLists || !Array.isArray(value)) names.add(prefix + key);
  }
}
