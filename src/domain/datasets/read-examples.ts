import type { DatasetExample } from '../../model/dataset.ts';
import { EXAMPLE_BATCH_ROW_COUNT } from '../../model/limits/datasets.ts';
import type { Ports } from '../ports.ts';

export interface ExampleSelection {
  readonly datasetRowId: number;
  /** A version of that dataset. */
  readonly versionRowId: number;
  readonly splitRowIds?: readonly number[] | undefined;
}

/** All examples at a version, a batch at a time: a version never changes, so the batches fit together. */
export async function* readExamples(
  { datasets }: Pick<Ports, 'datasets'>,
  selection: ExampleSelection,
): AsyncGenerator<DatasetExample[]> {
  let fromRowId: number | undefined;
  do {
    const page = await datasets.listExamples({ ...selection, limit: EXAMPLE_BATCH_ROW_COUNT, fromRowId });
    if (page.items.length > 0) yield page.items;
    fromRowId = page.nextRowId;
  } while (fromRowId !== undefined);
}
