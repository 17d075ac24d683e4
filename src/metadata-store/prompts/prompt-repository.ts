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
import { deleteTag, findTagsByRowIds, findTagsOfPrompts, listTagMoves, listTags, upsertTag } from './prompt-tags.ts';
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

const FUNCTIONS = {
  list: listPrompts,
  findIds: findPromptIds,
  count: countPrompts,
  listVersions: listPromptVersions,
  listLabels: listPromptLabels,
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
  listTagMoves,
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
export type PromptRepository = BoundToDatabase<typeof FUNCTIONS>;
export const promptRepository = (db: Db): PromptRepository => bindToDatabase(db, FUNCTIONS);
