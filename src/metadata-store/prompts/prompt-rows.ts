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
import { deleteTag, deleteTagByName, findTagsByRowIds, findTagsOfPrompts, listTags, upsertTag } from './prompt-tags.ts';
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

/** The functions of prompts, their databases given. */
export type PromptRows = ReturnType<typeof openPromptRows>;

/** Lists come from `readDb`, which may be behind; what somebody names is read where it was written a moment ago. */
export const openPromptRows = ({ db, readDb }: { readonly db: Db; readonly readDb: Db }) => ({
  list: bind(readDb, listPrompts),
  findIds: bind(readDb, findPromptIds),
  count: () => countPrompts(readDb),
  findByRowIds: bind(db, findPromptsByRowIds),
  update: bind(db, updatePrompt),
  delete: bind(db, deletePrompt),
  clone: bind(db, clonePrompt),

  addVersion: bind(db, addPromptVersion),
  listVersions: bind(readDb, listPromptVersions),
  findLatestVersion: bind(db, findLatestVersion),
  findTaggedVersion: bind(db, findTaggedVersion),
  findVersions: bind(db, findVersionsByRowIds),
  findVersionIdsOfPrompts: bind(db, findVersionIdsOfPrompts),

  setTag: bind(db, upsertTag),
  listTags: bind(db, listTags),
  findTags: bind(db, findTagsByRowIds),
  findTagsOfPrompts: bind(db, findTagsOfPrompts),
  deleteTagByName: bind(db, deleteTagByName),
  deleteTag: bind(db, deleteTag),

  listLabels: () => listPromptLabels(readDb),
  findLabels: bind(db, findLabelsByRowIds),
  findLabelsOfPrompts: bind(db, findLabelsOfPrompts),
  countPromptsOfLabels: bind(db, countPromptsOfLabels),
  createLabel: bind(db, createPromptLabel),
  updateLabel: bind(db, updatePromptLabel),
  deleteLabels: bind(db, deletePromptLabels),
  addLabels: bind(db, addLabelsToPrompt),
  removeLabels: bind(db, removeLabelsFromPrompt),
});

const bind =
  <Arguments extends unknown[], Result>(db: Db, ask: (db: Db, ...args: Arguments) => Promise<Result>) =>
  (...args: Arguments): Promise<Result> =>
    ask(db, ...args);
