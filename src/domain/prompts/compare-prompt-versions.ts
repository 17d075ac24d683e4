import type { ExactJson } from '../../base/exact-json.ts';
import type { PromptVersion } from '../../model/prompts/prompt.ts';
import type { Ports } from '../ports.ts';
import { compareJson, type Difference } from './compare-json.ts';
import { getPromptVersion } from './get-prompt-version.ts';

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
  return compareJson(toContent(before), toContent(after));
}

const toContent = (version: PromptVersion): ExactJson =>
  ({
    description: version.description,
    model_provider: version.modelProvider,
    model_name: version.modelName,
    template_format: version.templateFormat,
    template: version.template,
    invocation_parameters: version.invocationParameters,
    tools: version.tools,
    response_format: version.responseFormat,
  }) as unknown as ExactJson;
