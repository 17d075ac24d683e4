import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import {
  addLabelsToPrompt,
  countPromptsOfLabels,
  createPromptLabel,
  deletePromptLabels,
  findLabelsByRowIds,
  findLabelsOfPrompts,
  listPromptLabels,
  removeLabelsFromPrompt,
  updatePromptLabel,
} from './prompt-labels.ts';
import { deleteTag, findTagsByRowIds, findTagsOfPrompts, listTags, upsertTag } from './prompt-tags.ts';
import {
  addPromptVersion,
  clonePrompt,
  findLatestVersion,
  findTaggedVersion,
  findVersionIdsOfPrompts,
  findVersionsByRowIds,
  listPromptVersions,
} from './prompt-versions.ts';
import {
  countPrompts,
  deletePrompt,
  findPromptIds,
  findPromptsByRowIds,
  listPrompts,
  updatePrompt,
} from './prompts.ts';

/** Lists may be stale. */
const LISTS = {
  list: listPrompts,
  findIds: findPromptIds,
  count: countPrompts,
  listVersions: listPromptVersions,
  listLabels: listPromptLabels,
};

/** Objects that a caller names are read from the primary, because they may have been written a moment ago. */
const FUNCTIONS = {
  findByRowIds: findPromptsByRowIds,
  update: updatePrompt,
  delete: deletePrompt,
  clone: clonePrompt,
  addVersion: addPromptVersion,
  findLatestVersion,
  findTaggedVersion,
  findVersions: findVersionsByRowIds,
  findVersionIdsOfPrompts,
  setTag: upsertTag,
  listTags,
  findTags: findTagsByRowIds,
  findTagsOfPrompts,
  deleteTag,
  findLabels: findLabelsByRowIds,
  findLabelsOfPrompts,
  countPromptsOfLabels,
  createLabel: createPromptLabel,
  updateLabel: updatePromptLabel,
  deleteLabels: deletePromptLabels,
  addLabels: addLabelsToPrompt,
  removeLabels: removeLabelsFromPrompt,
};

/** The repository of prompts, each function with its database bound. */
export type PromptRepository = BoundToDatabase<typeof FUNCTIONS & typeof LISTS>;
export const promptRepository = ({ db, readDb }: { readonly db: Db; readonly readDb: Db }): PromptRepository => ({
  ...bindToDatabase(readDb, LISTS),
  ...bindToDatabase(db, FUNCTIONS),
});
