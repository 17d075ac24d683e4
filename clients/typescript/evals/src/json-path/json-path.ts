import { compile, JSONPathError, type JSONPathQuery, type JSONValue } from 'json-p3';
import { ArgumentError, EvaluationError } from '../errors.ts';

const PATH_CHARS_MAX = 2_000;
/** Values that a path may select, so that `$..*` in a large row ends. */
const VALUE_COUNT_MAX = 1_000_000;

const compiled = new Map<string, JSONPathQuery>();
/** Mappings are few; a caller that makes texts does not fill the memory. */
const COMPILED_COUNT_MAX = 500;

/**
 * All values of a JSON document that a path of RFC 9535 selects, in its order.
 *
 * @throws {ArgumentError} for a text that is no path
 * @throws {EvaluationError} for too many values, or a document that is nested too deeply
 */
export function selectJsonPath(document: unknown, path: string): unknown[] {
  const values: unknown[] = [];
  try {
    for (const { value } of compilePath(path).lazyQuery(document as JSONValue)) {
      if (values.push(value) > VALUE_COUNT_MAX)
        throw new EvaluationError(`The path selects more than ${VALUE_COUNT_MAX} values.`);
    }
  } catch (error) {
    throw error instanceof JSONPathError ? new EvaluationError(`The path ${path}: ${error.message}.`) : error;
  }
  return values;
}

function compilePath(path: string): JSONPathQuery {
  const known = compiled.get(path);
  if (known) return known;
  if (path.length > PATH_CHARS_MAX)
    throw new ArgumentError(`A JSONPath has at most ${PATH_CHARS_MAX} characters, and not ${path.length}.`);
  try {
    const query = compile(path);
    if (compiled.size >= COMPILED_COUNT_MAX) compiled.clear();
    compiled.set(path, query);
    return query;
  } catch (error) {
    throw new ArgumentError(`"${path}" is no JSONPath of RFC 9535: ${(error as Error).message}.`);
  }
}
