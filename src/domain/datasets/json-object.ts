import { type ExactJson, type ExactJsonObject, isJsonObject } from '../../base/exact-json.ts';
import { nestsWithin } from '../../base/json-depth.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits/reads.ts';

/** @throws {SpandrelError} `QUERY_INVALID` unless it is an object that can be read again */
export function checkJsonObject(what: string, value: unknown): ExactJsonObject {
  if (!isJsonObject(value)) throw new SpandrelError('QUERY_INVALID', `${what} must be a JSON object`);
  if (nestsWithin(value, BODY_JSON_DEPTH_MAX)) return value;
  throw new SpandrelError('QUERY_INVALID', `${what} must not be nested deeper than ${BODY_JSON_DEPTH_MAX} levels`);
}

/** A JSON object as it is stored. */
export const readStoredObject = (text: string): ExactJsonObject =>
  parseExactJson(text, { depthMax: Number.POSITIVE_INFINITY }) as ExactJsonObject;

/** The value of a text that is JSON, and any other text unchanged. */
export function decoded(value: ExactJson): ExactJson {
  if (typeof value !== 'string') return value;
  try {
    return parseExactJson(value, { depthMax: BODY_JSON_DEPTH_MAX - EXAMPLE_DEPTH });
  } catch {
    return value;
  }
}

/** Levels of an example around a value. */
const EXAMPLE_DEPTH = 20;
