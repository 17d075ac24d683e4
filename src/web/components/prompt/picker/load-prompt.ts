import { RequestFailure, send } from '../../../data/request.ts';
import { fromVersion } from '../variant/from-version.ts';
import type { PromptAddress, Variant } from '../variant/variant.ts';
import { toVersionContent } from '../version-content.ts';
import { storedPrompt } from './generated/picker.ts';

/**
 * Reads a version of a prompt as a variant.
 *
 * @throws {RequestFailure} also when the ID belongs to something else
 */
export async function loadPrompt(address: PromptAddress, signal?: AbortSignal): Promise<Variant> {
  const { promptId, versionId, tagName } = address;
  const { node } = await send(
    storedPrompt,
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
