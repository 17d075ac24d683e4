import type { ExactJson, ExactJsonOptions } from '../../../base/exact-json.ts';
import { parseExactJson, parseExactJsonYielding } from '../../../base/parse-exact-json.ts';
import { DATASET_JSON_AT_ONCE_CHARS_MAX } from '../../../model/limits/datasets.ts';

/** Reads a JSON text of any length as `parseExactJson` does. Yields to the event loop while it reads a long one. */
export const parseLongJson = async (text: string, options: ExactJsonOptions): Promise<ExactJson> =>
  text.length <= DATASET_JSON_AT_ONCE_CHARS_MAX
    ? parseExactJson(text, options)
    : parseExactJsonYielding(() => [text], options);
