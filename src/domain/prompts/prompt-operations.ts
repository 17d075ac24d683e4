import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { addPromptVersion } from './add-prompt-version.ts';
import { aggregateCalls } from './aggregate-calls.ts';
import { addLabels, createLabel, deleteLabels, removeLabels, updateLabel } from './change-labels.ts';
import { clonePrompt, deletePrompt, updatePrompt } from './change-prompt.ts';
import { comparePromptVersions } from './compare-prompt-versions.ts';
import { getLatestVersion, getPromptVersion, getTaggedVersion, listPromptVersions } from './get-prompt-version.ts';
import { deleteVersionTag, listVersionTags, setVersionTag } from './version-tags.ts';

/** Reads that need no rule. */
const QUERIES = [
  'list',
  'findIds',
  'count',
  'findByRowIds',
  'findVersions',
  'findVersionIdsOfPrompts',
  'findTags',
  'findTagsOfPrompts',
  'listTagMoves',
  'listLabels',
  'findLabels',
  'findLabelsOfPrompts',
  'countPromptsOfLabels',
] as const;

const OPERATIONS = {
  addVersion: addPromptVersion,
  update: updatePrompt,
  delete: deletePrompt,
  clone: clonePrompt,
  listVersions: listPromptVersions,
  getLatestVersion,
  getTaggedVersion,
  getVersion: getPromptVersion,
  compareVersions: comparePromptVersions,
  aggregateCalls,
  listTags: listVersionTags,
  setTag: setVersionTag,
  deleteTag: deleteVersionTag,
  createLabel,
  updateLabel,
  deleteLabels,
  addLabels,
  removeLabels,
};

/** All operations of API layers on prompts, their versions, tags and labels. */
export const createPromptOperations = (ports: Ports) => ({
  ...pick(ports.prompts, ...QUERIES),
  ...bindToPorts(ports, OPERATIONS),
});

export type PromptOperations = ReturnType<typeof createPromptOperations>;
