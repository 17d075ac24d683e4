import { type ExactJson, type ExactJsonObject, ExactNumber, toExactJsonText } from '../../base/exact-json.ts';

export const isObject = (json: ExactJson | undefined): json is ExactJsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof ExactNumber);

/** A text unchanged, any other value as JSON text. */
export const asText = (value: ExactJson): string => (typeof value === 'string' ? value : toExactJsonText(value));
