import { fromVersion } from '../../../components/prompt/variant/from-version.ts';
import type { Variant } from '../../../components/prompt/variant/variant.ts';
import { toVersionContent } from '../../../components/prompt/version-content.ts';
import { RequestFailure, send } from '../../../data/request.ts';
import { playgroundPrompt } from '../generated/playground.ts';
import type { PromptAddress } from '../state/address.ts';

/**
 * Reads a version of a prompt as a variant.
 *
 * @throws {RequestFailure} also when the ID belongs to something else
 */
export async function loadPrompt(address: PromptAddress, signal?: AbortSignal): Promise<Variant> {
  const { promptId, versionId, tagName } = address;
  const { node } = await send(
    playgroundPrompt,
    { id: promptId, versionId: versionId ?? null, tagName: tagName ?? null },
    signal,
  );
  if (node.__typename !== 'Prompt') {
    throw new RequestFailure('notFound', 'The prompt does not exist.', 'The ID does not belong to a prompt.');
  }
  const { version } = node;
  return fromVersion(toVersionContent(version.content), version.customProvider?.id ?? null, {
    promptId: node.id,
    versionId: version.id,
    tagName: tagName ?? null,
    promptName: node.name,
    sequenceNumber: version.sequenceNumber,
  });
}
