import type { NewExample, UploadAction, UploadResult } from '../../model/dataset.ts';
import { SPAN_EXAMPLE_BATCH_COUNT } from '../../model/limits.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { ListPosition } from '../../span-store/contract/query-terms.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';
import { toNewExample } from './edit-examples.ts';
import { readSpanExamples } from './span-example.ts';
import { readName } from './upload-json.ts';

export interface SpansUpload {
  readonly action: UploadAction;
  readonly name: string;
  readonly description: string;
  /** Name or global ID. */
  readonly project: string;
  /** A filter of spans; blank: all of the project. */
  readonly filter: string;
}

/**
 * Uploads an example for each span of a project that the filter selects, in the order in which they came. They are read
 * as they are written, so that their number does not matter.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `FILTER_INVALID`, and as `uploadExamples`; `SPAN_NOT_FOUND` when one is
 *   deleted meanwhile; nothing is changed then
 */
export async function uploadSpans(
  ports: Pick<Ports, 'datasets' | 'spans' | 'projects' | 'uploads'>,
  { action, name, description, project, filter }: SpansUpload,
): Promise<UploadResult> {
  readName(name, 'Dataset name is required');
  const condition = parseSpanFilter(filter);
  const { rowId } = await getProject(ports, project);
  return ports.uploads.run(() =>
    ports.datasets.upload({
      action,
      name,
      description,
      examples: readBatches(ports.spans, rowId, condition),
      providesSplits: false,
    }),
  );
}

async function* readBatches(
  spans: Ports['spans'],
  projectId: number,
  filter: SpanFilter | undefined,
): AsyncGenerator<NewExample[]> {
  for (let after: ListPosition | undefined, isLast = false; !isLast; ) {
    const page = await spans.listSpans({ projectId, filter, order: 'asc', after, limit: SPAN_EXAMPLE_BATCH_COUNT });
    const examples = await readSpanExamples(
      spans,
      page.items.map(({ span }) => span.rowId),
    );
    yield Array.from(examples, ([spanRowId, objects]) => toNewExample(objects, null, spanRowId));
    after = page.nextAfter;
    isLast = after === undefined;
  }
}
