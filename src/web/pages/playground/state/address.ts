import type { PromptAddress } from '../../../components/prompt/variant/variant.ts';
import type { Draft } from './draft.ts';

/** What a link to the playground names. */
export interface PlaygroundAddress {
  /** One for each variant that comes from a prompt. */
  readonly prompts: readonly PromptAddress[];
  readonly datasetId: string | undefined;
  readonly splitIds: readonly string[];
  readonly exampleId: string | undefined;
  /** Recorded runs, one for each variant. */
  readonly experimentIds: readonly string[];
  readonly spanId: string | undefined;
  /** Whether the address carries a draft behind its `#`. */
  readonly isShared: boolean;
}

/** Reads an address. Lists of the three names of prompts belong together by position; an empty text is absent. */
export function readAddress(search: URLSearchParams, spanId?: string): PlaygroundAddress {
  const versionIds = search.getAll('promptVersionId');
  const tagNames = search.getAll('promptTagName');
  return {
    prompts: search
      .getAll('promptId')
      .flatMap((promptId, index) =>
        promptId === ''
          ? []
          : [{ promptId, versionId: versionIds[index] || undefined, tagName: tagNames[index] || undefined }],
      ),
    datasetId: search.get('datasetId') || undefined,
    splitIds: search.getAll('splitId').filter((id) => id !== ''),
    exampleId: search.get('exampleId') || undefined,
    experimentIds: search.getAll('experimentId').filter((id) => id !== ''),
    spanId,
    isShared: search.has('shared'),
  };
}

/** Link that opens recorded experiments of one dataset beside each other. */
export const experimentsPath = (ids: readonly string[]): string =>
  `/playground?${new URLSearchParams(ids.map((id): [string, string] => ['experimentId', id]))}`;

/** Query parameters of a draft: its prompts by position and its dataset. */
export function writeAddress({ variants, source }: Draft): URLSearchParams {
  const search = new URLSearchParams();
  const sources = variants.flatMap((variant) => (variant.source ? [variant.source] : []));
  for (const { promptId, versionId, tagName } of sources) {
    search.append('promptId', promptId);
    search.append('promptVersionId', tagName === null ? versionId : '');
    search.append('promptTagName', tagName ?? '');
  }
  if (source.type === 'dataset') {
    search.set('datasetId', source.datasetId);
    for (const id of source.splitIds) search.append('splitId', id);
  }
  return search;
}

/** Names a draft in this browser. Experiments and spans of links have drafts of their own. */
export const draftKey = (path: string, search: URLSearchParams): string =>
  `${path}?${new URLSearchParams([...search].filter(([name]) => KEPT.has(name)))}`;

const KEPT: ReadonlySet<string> = new Set([
  'promptId',
  'promptVersionId',
  'promptTagName',
  'datasetId',
  'splitId',
  'exampleId',
  'experimentId',
  'shared',
]);
