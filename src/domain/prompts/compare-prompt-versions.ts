import type { Ports } from '../ports.ts';
import { compareJson, type Difference } from './compare-json.ts';
import { getPromptVersion } from './get-prompt-version.ts';
import { toVersionContent } from './version-content.ts';

/**
 * Differences of the second version from the first, in the order of its fields. They may belong to two prompts.
 *
 * @throws {SpandrelError} `PROMPT_VERSION_NOT_FOUND`
 */
export async function comparePromptVersions(
  { prompts }: Pick<Ports, 'prompts'>,
  beforeRowId: number,
  afterRowId: number,
): Promise<Difference[]> {
  const [before, after] = await Promise.all([
    getPromptVersion({ prompts }, beforeRowId),
    getPromptVersion({ prompts }, afterRowId),
  ]);
  return compareJson(toVersionContent(before), toVersionContent(after));
}
