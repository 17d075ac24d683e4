import type { Operation } from '../../data/operation.ts';
import { send } from '../../data/request.ts';
import { type AllPages, useAllPages } from '../../data/use-all-pages.ts';
import {
  addPromptLabels,
  allDatasetLabels,
  allPromptLabels,
  allSplits,
  createDatasetLabel,
  createPromptLabel,
  createSplit,
  deleteDatasetLabel,
  deletePromptLabel,
  deleteSplit,
  patchDatasetLabel,
  patchPromptLabel,
  patchSplit,
  removePromptLabels,
  setDatasetLabels,
} from './generated/labels.ts';
import type { Label, LabelChange, LabelFields } from './label.ts';

/** What the components for labels need to know of one kind of label. */
export interface LabelKind {
  readonly noun: 'label' | 'split';
  readonly plural: 'labels' | 'splits';
  readonly useAll: () => AllPages<Label>;
  /** Creates a label. Returns its ID. */
  readonly create: (fields: LabelFields) => Promise<string>;
  readonly update: (id: string, fields: LabelFields) => Promise<unknown>;
  readonly remove: (id: string) => Promise<unknown>;
  /** Their right is the right to change labels of this kind. */
  readonly operations: Record<'create' | 'update' | 'remove', Pick<Operation<unknown, never>, 'access'>>;
}

const datasetLabels = (data: { readonly datasetLabels: Connection }) => data.datasetLabels;
const datasetSplits = (data: { readonly datasetSplits: Connection }) => data.datasetSplits;
const promptLabels = (data: { readonly promptLabels: Connection }) => data.promptLabels;

interface Connection {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly edges: readonly { readonly node: Label }[];
}

export const DATASET_LABELS: LabelKind = {
  noun: 'label',
  plural: 'labels',
  useAll: () => useAllPages(allDatasetLabels, datasetLabels),
  create: async (input) => (await send(createDatasetLabel, { input })).createDatasetLabel.datasetLabel.id,
  update: (datasetLabelId, fields) => send(patchDatasetLabel, { input: { datasetLabelId, ...fields } }),
  remove: (id) => send(deleteDatasetLabel, { id }),
  operations: { create: createDatasetLabel, update: patchDatasetLabel, remove: deleteDatasetLabel },
};

export const SPLITS: LabelKind = {
  noun: 'split',
  plural: 'splits',
  useAll: () => useAllPages(allSplits, datasetSplits),
  create: async (input) => (await send(createSplit, { input })).createDatasetSplit.datasetSplit.id,
  update: (datasetSplitId, fields) => send(patchSplit, { input: { datasetSplitId, ...fields } }),
  remove: (id) => send(deleteSplit, { id }),
  operations: { create: createSplit, update: patchSplit, remove: deleteSplit },
};

export const PROMPT_LABELS: LabelKind = {
  noun: 'label',
  plural: 'labels',
  useAll: () => useAllPages(allPromptLabels, promptLabels),
  create: async (input) => (await send(createPromptLabel, { input })).createPromptLabel.promptLabels[0]!.id,
  update: (promptLabelId, fields) => send(patchPromptLabel, { input: { promptLabelId, ...fields } }),
  remove: (id) => send(deletePromptLabel, { id }),
  operations: { create: createPromptLabel, update: patchPromptLabel, remove: deletePromptLabel },
};

export const labelDataset = (id: string, { ids }: LabelChange): Promise<unknown> =>
  send(setDatasetLabels, { id, labelIds: ids });

export async function labelPrompt(id: string, { added, removed }: LabelChange): Promise<void> {
  if (added.length > 0) await send(addPromptLabels, { id, labelIds: added });
  if (removed.length > 0) await send(removePromptLabels, { id, labelIds: removed });
}
