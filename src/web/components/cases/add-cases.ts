import { postLines } from '../../data/post-lines.ts';
import { invalidate } from '../../data/query-client.ts';
import { send } from '../../data/request.ts';
import type { ChosenDataset } from './DatasetChoice.tsx';
import { createCaseDataset, rememberSpanMapping } from './generated/cases.ts';
import { type SpanMapping, toSentMapping } from './span-mapping.ts';

/** Result of adding spans. */
export interface AddedCases {
  readonly added_count: number;
  readonly repeated_span_count: number;
  readonly repeated_content_count: number;
}

interface AddOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (count: number) => void;
}

interface AddRequest {
  readonly datasetId: string;
  readonly spanIds: readonly string[];
  readonly mapping: SpanMapping;
  readonly splitNames: readonly string[];
  readonly keepsRepeated: boolean;
  readonly isDryRun: boolean;
}

/** Adds spans as one version of the dataset, or only counts them. */
export const addCases = (
  { datasetId, spanIds, mapping, splitNames, keepsRepeated, isDryRun }: AddRequest,
  options: AddOptions,
): Promise<AddedCases> =>
  postLines<AddedCases>(
    `v1/datasets/${encodeURIComponent(datasetId)}/spans`,
    {
      span_ids: spanIds,
      mapping: toSentMapping(mapping),
      splits: splitNames,
      keep_repeated: keepsRepeated,
      dry_run: isDryRun,
    },
    options,
  );

/** Adds the new matches of a saved source. */
export const addNewMatches = (sourceId: string, options: AddOptions): Promise<AddedCases> =>
  postLines<AddedCases>(`v1/dataset_sources/${encodeURIComponent(sourceId)}/examples`, {}, options);

/** ID and name of the chosen dataset, which is created if it is new. */
export async function openDataset(chosen: ChosenDataset): Promise<{ readonly id: string; readonly name: string }> {
  if ('id' in chosen) return chosen;
  return (await send(createCaseDataset, { name: chosen.newName })).createDataset.dataset;
}

/** Remembers the mapping for the next spans of the project. A user who may only read the project is not told. */
export async function rememberMapping(projectId: string, mapping: SpanMapping): Promise<void> {
  try {
    await send(rememberSpanMapping, { input: { projectId, mapping: toSentMapping(mapping) } });
  } catch {
    // The examples are stored. The next dialog begins with the former mapping.
  }
  void invalidate();
}
