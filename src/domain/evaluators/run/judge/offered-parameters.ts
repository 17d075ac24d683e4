import type { ExactJson } from '../../../../base/exact-json.ts';
import { offeredParameters } from '../../../../model/models/offered-parameters.ts';
import type { PromptContent } from '../../../../model/prompts/prompt.ts';
import type { InvocationParameters } from '../../../../model/prompts/prompt-parameters.ts';

/** Parameters of a prompt without those that its model does not offer, which vendors reject. */
export function keepOffered({
  invocationParameters,
  modelProvider,
  modelName,
}: Pick<PromptContent, 'invocationParameters' | 'modelProvider' | 'modelName'>): InvocationParameters {
  const offered = new Set(offeredParameters(modelProvider, modelName).map(({ name }) => name));
  const { type } = invocationParameters;
  const given = Object.entries((invocationParameters as unknown as Record<string, object>)[type] ?? {});
  const kept: [string, ExactJson][] = given.filter(([name]) => offered.has(name) || ALWAYS_OFFERED.has(name));
  return { type, [type]: Object.fromEntries(kept) } as unknown as InvocationParameters;
}

/** Effort of Anthropic's newer models, which forms do not show. */
const ALWAYS_OFFERED: ReadonlySet<string> = new Set(['output_config']);
