import type { Argument, Flag } from '../command-line/command.ts';

/** Flags that several commands have. */
export const INCLUDES: readonly Flag[] = [
  { name: 'include-annotations', kind: 'switch', help: 'add annotations' },
  { name: 'include-notes', kind: 'switch', help: 'add notes' },
];

export const YES: Flag = { name: 'yes', short: 'y', kind: 'switch', help: 'do not ask' };
export const FILE: Flag = { name: 'file', kind: 'text', value: 'path', help: 'write the JSON to this file' };
export const limit = (help: string, fallback?: number): Flag => ({
  ...{ name: 'limit', short: 'n', kind: 'count', value: 'count', help },
  ...(fallback !== undefined && { default: String(fallback) }),
});

export const RANGE: readonly Flag[] = [
  { name: 'last-n-minutes', kind: 'count', value: 'minutes', help: 'only of this number of minutes before now' },
  { name: 'since', kind: 'text', value: 'time', help: 'only from this time, such as 2026-01-31T08:00:00Z' },
  { name: 'until', kind: 'text', value: 'time', help: 'only before this time; otherwise up to now' },
];

export const SPAN_KINDS_HELP =
  'LLM, CHAIN, TOOL, RETRIEVER, EMBEDDING, AGENT, RERANKER, EVALUATOR, GUARDRAIL, PROMPT or UNKNOWN';

export const ANNOTATOR_KIND: Flag = {
  name: 'annotator-kind',
  kind: 'text',
  value: 'kind',
  help: 'who made it',
  choices: ['HUMAN', 'LLM', 'CODE'],
};
export const IDENTIFIER: Flag = {
  name: 'identifier',
  kind: 'text',
  value: 'text',
  help: 'annotations of one name with different identifiers stay side by side',
};

export const idOf = (noun: string): Argument => ({ name: 'id', help: `ID of the ${noun}` });
export const DELETION_FIELDS = 'deleted, target, id';
export const DELETION_NOTES = 'Needs SPANDREL_CLI_DANGEROUSLY_ENABLE_DELETES=true, and --yes where nobody can answer.';
