import type { ExactJson } from '../../base/exact-json.ts';
import type { PromptContent } from '../../model/prompts/prompt.ts';

/** What a version sends to a model, with the names of the public REST interface. */
export const toVersionContent = (version: Omit<PromptContent, 'customProviderId'>): ExactJson =>
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
