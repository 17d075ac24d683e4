import { authorOf } from '../../model/access/caller.ts';
import type { AddedSpans, DatasetSource } from '../../model/dataset-source.ts';
import { ADDED_SPAN_COUNT_MAX, NEW_MATCH_COUNT_MAX, SPAN_EXAMPLE_BATCH_COUNT } from '../../model/limits/datasets.ts';
import { PAGE_ROW_COUNT_MAX } from '../../model/limits/reads.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import type { UserIdText } from '../datasets/span-example.ts';
import type { Ports } from '../ports.ts';
import { sourceUnknown } from './change-sources.ts';
import { type BatchOptions, readMappedSpans, type SpanParts, toExamples } from './read-span-contents.ts';

type Parts = SpanParts & Pick<Ports, 'datasetSources'>;

/** Spans that a source has not used, at most `NEW_MATCH_COUNT_MAX`. @throws {SpandrelError} `DATASET_SOURCE_NOT_FOUND` */
export async function countNewMatches(ports: Parts, rowId: number): Promise<number> {
  const source = await ports.datasetSources.find(rowId);
  if (!source) return sourceUnknown(rowId);
  let count = 0;
  for await (const rowIds of listNewMatches(ports, source, PAGE_ROW_COUNT_MAX)) {
    count += rowIds.length;
    if (count >= NEW_MATCH_COUNT_MAX) return NEW_MATCH_COUNT_MAX;
  }
  return count;
}

/**
 * Adds the spans that match the filter of a source and have not been used, in the order of their arrival, at most
 * `ADDED_SPAN_COUNT_MAX`. The rest stays new. The position advances with the write, so no span is added twice.
 *
 * @throws {SpandrelError} `DATASET_SOURCE_NOT_FOUND`
 */
export async function addNewMatches(
  ports: Parts & Pick<Ports, 'uploads'>,
  request: BatchOptions & { readonly sourceRowId: number; readonly keepsRepeated: boolean },
  userIdText: UserIdText,
): Promise<AddedSpans> {
  const { sourceRowId, keepsRepeated, signal, onProgress } = request;
  const source = await ports.datasetSources.find(sourceRowId);
  if (!source) return sourceUnknown(sourceRowId);
  const result = await ports.uploads.run(() =>
    ports.datasetSources.use({
      sourceRowId,
      keepsRepeated,
      description: `New matches of ${source.name}`,
      userId: authorOf(ports.caller),
      async *readNew(_tx, current) {
        let count = 0;
        for await (const found of listNewMatches(ports, current, SPAN_EXAMPLE_BATCH_COUNT)) {
          signal?.throwIfAborted();
          const rowIds = found.slice(0, ADDED_SPAN_COUNT_MAX - count);
          const examples = toExamples(await readMappedSpans(ports, rowIds, current.mapping, userIdText));
          count += rowIds.length;
          const isOnAnnotations = readsAnnotations(current);
          yield {
            examples,
            ...(isOnAnnotations ? {} : { lastSpanRowId: rowIds.at(-1) }),
            usedSpanRowIds: isOnAnnotations ? rowIds : [],
          };
          onProgress?.(count);
          if (count >= ADDED_SPAN_COUNT_MAX) return;
        }
      },
    }),
  );
  return result ?? sourceUnknown(sourceRowId);
}

/**
 * Row ids of new matches in the order of their arrival. Content never changes, so spans that have arrived after the
 * position are enough. Annotations arrive later than their span: such a filter is applied to all spans after the position
 * at which the source began, without those that it has used.
 */
async function* listNewMatches(ports: Parts, source: DatasetSource, limit: number): AsyncGenerator<number[]> {
  const filter = parseSpanFilter(source.filter);
  const { projectId, lastSpanRowId } = source;
  let after: { readonly rowId: number } | undefined = { rowId: lastSpanRowId };
  while (after) {
    const page = await ports.spans.listSpans({ projectId, filter, order: 'asc', after, limit });
    const rowIds = page.items.map(({ span }) => span.rowId);
    if (readsAnnotations(source)) {
      const used = await ports.datasetSources.findUsedSpans(source.rowId, rowIds);
      const unused = rowIds.filter((rowId) => !used.has(rowId));
      if (unused.length > 0) yield unused;
    } else if (rowIds.length > 0) yield rowIds;
    after = page.nextAfter;
  }
}

const readsAnnotations = ({ filter }: DatasetSource): boolean => (parseSpanFilter(filter)?.annotations.length ?? 0) > 0;
