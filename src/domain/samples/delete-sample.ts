import { deleteDataset } from '../datasets/change-dataset.ts';
import type { Ports } from '../ports.ts';
import { deletePrompt } from '../prompts/change-prompt.ts';
import { findSample } from './create-sample.ts';
import { SAMPLE_SPLITS } from './support-sample.ts';

/**
 * Deletes the sample with its experiments, traces, prompt, and those of its splits that have no other examples. Returns
 * false when there is none.
 *
 * @throws {SpandrelError} `PROMPT_IN_USE` when an evaluator uses its prompt; the rest is deleted
 */
export async function deleteSample(ports: Ports): Promise<boolean> {
  const sample = await findSample(ports);
  if (!sample) return false;
  await deleteDataset(ports, sample.datasetRowId, { withProjects: true });
  const splits = await ports.datasets.findSplits({ rowIds: [], names: SAMPLE_SPLITS.map(({ name }) => name) });
  const empty: number[] = [];
  for (const { rowId } of splits) {
    if ((await ports.datasets.countExamplesOfSplit(rowId)) === 0) empty.push(rowId);
  }
  if (empty.length > 0) await ports.datasets.deleteSplits(empty);
  if (sample.promptRowId !== null) await deletePrompt(ports, { rowId: sample.promptRowId });
  return true;
}
