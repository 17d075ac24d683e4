import { authorOf } from '../../model/access/caller.ts';
import type { NewExample, UploadAction, UploadResult } from '../../model/dataset.ts';
import { SPAN_EXAMPLE_BATCH_COUNT } from '../../model/limits/datasets.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { ListPosition } from '../../span-store/contract/query-terms.ts';
import type { Ports } from '../ports.ts';
import { toNewExample } from './add-examples.ts';
import { readSpanExamples, type UserIdText } from './span-example.ts';
import { readName } from './upload-json.ts';

export interface SpansUpload {
  readonly action: UploadAction;
  readonly name: string;
  readonly description: string;
  readonly projectRowId: number;
  /** A filter of spans. Blank: all spans of the project. */
  readonly filter: string;
}

/**
 * Uploads an example for each span of a project that the filter selects, in the order of their arrival. Spans are read
 * while examples are written, so their number does not matter.
 *
 * @throws {SpandrelError} `FILTER_INVALID`, and like `uploadExamples`; `SPAN_NOT_FOUND` when one is deleted during the
 * upload, and then nothing is changed
 */
export async function uploadSpans(
  ports: Pick<Ports, 'datasets' | 'spans' | 'uploads' | 'users' | 'caller'>,
  { action, name, description, projectRowId, filter }: SpansUpload,
  userIdText: UserIdText,
): Promise<UploadResult> {
  readName(name, 'Dataset name is required');
  const condition = parseSpanFilter(filter);
  return ports.uploads.run(() =>
    ports.datasets.upload({
      action,
      name,
      description,
      examples: readBatches(ports, projectRowId, condition, userIdText),
      providesSplits: false,
      userId: authorOf(ports.caller),
    }),
  );
}

async function* readBatches(
  ports: Pick<Ports, 'spans' | 'users' | 'caller'>,
  projectId: number,
  filter: SpanFilter | undefined,
  userIdText: UserIdText,
): AsyncGenerator<NewExample[]> {
  for (let after: ListPosition | undefined, isLast = false; !isLast; ) {
    const page = await ports.spans.listSpans({
      projectId,
      filter,
      order: 'asc',
      after,
      limit: SPAN_EXAMPLE_BATCH_COUNT,
    });
    const examples = await readSpanExamples(
      ports,
      page.items.map(({ span }) => span.rowId),
      userIdText,
    );
    yield Array.from(examples, ([spanRowId, objects]) => toNewExample(objects, null, spanRowId));
    after = page.nextAfter;
    isLast = after === undefined;
  }
}
