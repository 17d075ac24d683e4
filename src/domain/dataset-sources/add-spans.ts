import { authorOf } from '../../model/access/caller.ts';
import type { AddedSpans, Repetition, SpanMapping } from '../../model/dataset-source.ts';
import { SpandrelError } from '../../model/errors.ts';
import { ADDED_SPAN_COUNT_MAX, PREVIEWED_SPAN_COUNT_MAX } from '../../model/limits/datasets.ts';
import { toNewExample } from '../datasets/add-examples.ts';
import type { ExampleObjects } from '../datasets/content-hash.ts';
import { getDataset } from '../datasets/get-dataset.ts';
import type { UserIdText } from '../datasets/span-example.ts';
import { checkIndexed } from '../datasets/upload-invalid.ts';
import type { Ports } from '../ports.ts';
import { checkSpanMapping, type MappedExample } from './map-span.ts';
import {
  type BatchOptions,
  readExampleBatches,
  readMappedSpans,
  type SpanParts,
  toExamples,
} from './read-span-contents.ts';

export interface SpanSelectionToAdd extends BatchOptions {
  readonly datasetRowId: number;
  readonly spanRowIds: readonly number[];
  readonly mapping: SpanMapping;
  readonly splitNames: readonly string[];
  /** Description of the new version. */
  readonly description: string | null;
  readonly keepsRepeated: boolean;
  /** Counts only. Nothing is written. */
  readonly isDryRun: boolean;
}

/**
 * Adds an example for each span as one new version, all of them or none.
 *
 * @throws {SpandrelError} `DATASET_NOT_FOUND`, `SPAN_NOT_FOUND`, `QUERY_INVALID`
 */
export async function addSpans(
  ports: SpanParts & Pick<Ports, 'datasetSources' | 'datasets' | 'uploads'>,
  { spanRowIds, mapping, splitNames, ...request }: SpanSelectionToAdd,
  userIdText: UserIdText,
): Promise<AddedSpans> {
  const rowIds = [...new Set(spanRowIds)];
  if (rowIds.length > ADDED_SPAN_COUNT_MAX) {
    throw new SpandrelError(
      'QUERY_INVALID',
      `Received ${rowIds.length} spans; the maximum is ${ADDED_SPAN_COUNT_MAX} in one request`,
    );
  }
  checkSpanMapping(mapping);
  await getDataset(ports, { rowId: request.datasetRowId });
  return ports.uploads.run(() =>
    ports.datasetSources.addSpans({
      ...request,
      splitNames: checkSplitNames(splitNames),
      examples: readExampleBatches(ports, rowIds, mapping, userIdText, request),
      userId: authorOf(ports.caller),
    }),
  );
}

/** An example that a user has edited before it is added. */
export interface EditedSpan extends ExampleObjects {
  readonly datasetRowId: number;
  readonly spanRowId: number;
  readonly splitNames: readonly string[];
  readonly keepsRepeated: boolean;
}

/** Adds one example with exactly this content. @throws {SpandrelError} `DATASET_NOT_FOUND`, `SPAN_NOT_FOUND` */
export async function addEditedSpan(
  ports: SpanParts & Pick<Ports, 'datasetSources'>,
  { datasetRowId, spanRowId, splitNames, keepsRepeated, ...objects }: EditedSpan,
): Promise<AddedSpans> {
  if (!(await ports.spans.get({ of: 'spans', column: 'row', rowIds: [spanRowId] })).has(spanRowId)) {
    throw new SpandrelError('SPAN_NOT_FOUND', 'The span could not be found');
  }
  const example = toNewExample(objects, null, spanRowId);
  async function* examples() {
    yield [example];
  }
  return ports.datasetSources.addSpans({
    datasetRowId,
    examples: examples(),
    splitNames: checkSplitNames(splitNames),
    description: null,
    keepsRepeated,
    isDryRun: false,
    userId: authorOf(ports.caller),
  });
}

export interface PreviewedSpan {
  readonly spanRowId: number;
  readonly example: MappedExample;
  /** Null for new content, and without a dataset. */
  readonly repetition: Repetition | null;
}

/** Examples that `addSpans` would add, in the given order. @throws {SpandrelError} `SPAN_NOT_FOUND`, `QUERY_INVALID` */
export async function previewSpans(
  ports: SpanParts & Pick<Ports, 'datasetSources'>,
  request: Pick<SpanSelectionToAdd, 'spanRowIds' | 'mapping'> & { readonly datasetRowId: number | undefined },
  userIdText: UserIdText,
): Promise<PreviewedSpan[]> {
  const rowIds = [...new Set(request.spanRowIds)];
  if (rowIds.length > PREVIEWED_SPAN_COUNT_MAX) {
    throw new SpandrelError(
      'QUERY_INVALID',
      `Received ${rowIds.length} spans; a preview has at most ${PREVIEWED_SPAN_COUNT_MAX}`,
    );
  }
  checkSpanMapping(request.mapping);
  const mapped = await readMappedSpans(ports, rowIds, request.mapping, userIdText);
  const hashed = toExamples(mapped).map(({ hash, spanRowId }) => ({ hash, spanRowId: spanRowId ?? 0 }));
  const repetitions =
    request.datasetRowId === undefined
      ? rowIds.map(() => null)
      : await ports.datasetSources.findRepetitions(request.datasetRowId, hashed);
  return Array.from(mapped, ([spanRowId, example], index) => ({
    spanRowId,
    example,
    repetition: repetitions[index] ?? null,
  }));
}

/** @throws {SpandrelError} `QUERY_INVALID` for a blank name, `DATASET_UPLOAD_INVALID` for one that is too long */
export function checkSplitNames(names: readonly string[]): string[] {
  const trimmed = names.map((name) => name.trim());
  if (trimmed.includes('')) throw new SpandrelError('QUERY_INVALID', 'A split needs a name');
  return [...new Set(trimmed)].map((name) => checkIndexed('the name of a split', name));
}
