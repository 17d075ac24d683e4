import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';

/** Further headers of calls by variant. They may be secrets, so drafts do not contain them. */
const headers = new Map<string, JsonObject>();

export const headersOf = (variantId: string): JsonObject | undefined => headers.get(variantId);

/** Keeps an object of texts. Other values are ignored, and an empty object removes the headers. */
export function setHeaders(variantId: string, value: Json | undefined): void {
  if (!isObject(value) || Object.values(value).some((each) => typeof each !== 'string')) return;
  if (Object.keys(value).length === 0) headers.delete(variantId);
  else headers.set(variantId, value);
}
