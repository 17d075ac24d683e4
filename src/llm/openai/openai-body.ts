import { type ExactJson, type ExactJsonObject, newJsonObject } from '../../base/exact-json.ts';
import type { InvocationParameters, OpenAiParameters } from '../../model/prompts/prompt-parameters.ts';
import { ModelError } from '../contract/model-error.ts';

/** @throws {ModelError} for parameters of another family, which a prompt may store for another provider */
export function parametersOf(parameters: InvocationParameters): OpenAiParameters {
  if (parameters.type === 'openai') return parameters.openai;
  throw new ModelError('rejected', `Parameters of ${parameters.type} cannot be sent to this model.`);
}

/**
 * The defined fields, overridden by those of `extraBody`. Whether the response is streamed cannot be overridden, because it decides
 * how the response is read.
 */
export function toBody(fields: object, extraBody: ExactJsonObject = newJsonObject()): ExactJsonObject {
  const body = newJsonObject();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body[name] = value as ExactJson;
  for (const [name, value] of Object.entries(extraBody)) if (name !== 'stream') body[name] = value;
  return body;
}
