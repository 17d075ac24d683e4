import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import { readStored } from '../../../preferences/stored-state.ts';
import { isProvider, type ModelChoice, newVariant, type Variant } from '../variant/variant.ts';

const NAME = 'playground.model';

interface ModelDefault {
  readonly model: ModelChoice;
  readonly parameters: JsonObject;
}

const isDefault = (value: unknown): value is ModelDefault =>
  isObject(value as Json) &&
  isObject((value as JsonObject).parameters) &&
  isObject((value as JsonObject).model) &&
  isProvider(((value as JsonObject).model as JsonObject).provider) &&
  isObject(((value as JsonObject).model as JsonObject).connection);

/** Keeps the model of new variants in this browser. */
export function storeModelDefault(model: ModelChoice, parameters: JsonObject): void {
  try {
    localStorage.setItem(`spandrel.${NAME}`, JSON.stringify({ model, parameters }));
  } catch {
    // Storage may be full or forbidden. The next variant then has the usual model.
  }
}

/** First variant of an empty playground, with the model that the user prefers. */
export function firstVariant(): Variant {
  const stored = readStored<ModelDefault | null>(NAME, null, (value): value is ModelDefault | null => isDefault(value));
  return stored ? newVariant(stored.model, stored.parameters) : newVariant();
}
