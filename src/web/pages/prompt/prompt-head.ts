import { RequestFailure } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { type PromptHeadData, type PromptVersionData, promptHead, promptVersion } from './generated/prompt.ts';

export type PromptHead = Extract<PromptHeadData['node'], { readonly __typename: 'Prompt' }>;
export type VersionRow = PromptHead['promptVersions']['edges'][number]['node'];
export type Version = Extract<PromptVersionData['node'], { readonly __typename: 'Prompt' }>['version'];

export interface PromptTabProps {
  readonly prompt: PromptHead;
  /** ID of the open version. */
  readonly versionId: string | undefined;
  /** Reads labels, tags and versions again after a change. */
  readonly onChange: () => void;
}

/** Reads name, labels, tags and the newest versions of a prompt. */
export function usePromptHead(promptId: string) {
  const { data, failure, refetch } = useQuery(promptHead, { id: promptId });
  const prompt = data?.node.__typename === 'Prompt' ? data.node : undefined;
  return { prompt, failure: failure ?? (data && !prompt ? NO_PROMPT : undefined), refetch };
}

/** Reads a version of a prompt: the latest one without an ID. */
export function useVersion(promptId: string, versionId: string | undefined) {
  const { data, failure, isStale, refetch } = useQuery(promptVersion, { id: promptId, versionId: versionId ?? null });
  const version = data?.node.__typename === 'Prompt' && !isStale ? data.node.version : undefined;
  return { version, failure: failure ?? (data && data.node.__typename !== 'Prompt' ? NO_PROMPT : undefined), refetch };
}

const NO_PROMPT = new RequestFailure(
  'notFound',
  'The prompt does not exist.',
  'The ID does not belong to a prompt. It may have been deleted.',
);
