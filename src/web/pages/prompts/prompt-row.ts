import type { PromptListData } from './generated/prompts.ts';

/** A prompt in the list. */
export type PromptRow = PromptListData['prompts']['edges'][number]['node'];

export const latestOf = ({ promptVersions }: PromptRow) => promptVersions.edges[0]?.node;

/** Address of a prompt, or of a page below it. */
export const promptPath = (promptId: string, ...rest: readonly string[]): string =>
  `/${['prompts', promptId, ...rest].map(encodeURIComponent).join('/')}`;
