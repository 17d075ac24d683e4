import { type ExactJson, JsonDepthError, JsonSizeError } from '../../base/exact-json.ts';
import { countJsonSigns } from '../../base/json-signs.ts';
import { parseExactJson, parseExactJsonYielding } from '../../base/parse-exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import { BODY_JSON_DEPTH_MAX, VALIDATION_INPUT_CHARS_MAX } from '../../model/limits/reads.ts';
import { JSON_KEY_COUNT_MAX, JSON_SIGN_COUNT_MAX, jsonHeapBytes } from '../../model/limits/requests.ts';
import type { HttpRequest } from '../../server/route.ts';

/** A body: a JSON value, the beginning of a body with another content type, no body, or undecodable bytes. */
export type RequestBody =
  | { readonly kind: 'json'; readonly value: ExactJson }
  | { readonly kind: 'other'; readonly beginning: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' };

/**
 * @throws {JsonSyntaxError} when the body has the content type of JSON and is not JSON
 * @throws {SpandrelError} `BODY_TOO_LARGE` when it has too many values or different keys
 */
export async function readBody(request: HttpRequest): Promise<RequestBody> {
  const { body } = request;
  if (body.byteLength === 0) return { kind: 'absent' };
  if (!isJsonType(request.header('content-type') ?? '')) return { kind: 'other', beginning: beginningOf(body) };
  try {
    const value = body.byteLength <= WHOLE_BYTES_MAX ? await readWhole(request) : await readYielding(request);
    return value === null ? { kind: 'absent' } : { kind: 'json', value };
  } catch (error) {
    if (error instanceof JsonDepthError || error instanceof UnreadableText) return { kind: 'unreadable' };
    if (error instanceof JsonSizeError) throw new SpandrelError('BODY_TOO_LARGE', `The body is ${error.message}`);
    throw error;
  }
}

async function readWhole({ body, heap }: HttpRequest): Promise<ExactJson> {
  await heap.take(jsonHeapBytes(body.byteLength, countJsonSigns(body)));
  return parseExactJson([...textChunks(body, WHOLE_BYTES_MAX)].join(''), BODY_OPTIONS);
}

/** Queue that reads long bodies one at a time, so that only one request at a time enlarges its share in steps. */
function readYielding({ body, heap }: HttpRequest): Promise<ExactJson> {
  let textBytes = body.byteLength;
  return parseExactJsonYielding(
    () => textChunks(body, CHUNK_BYTES),
    BODY_OPTIONS,
    (valueCount) => {
      const taken = heap.take(jsonHeapBytes(textBytes, valueCount));
      textBytes = 0;
      return taken;
    },
  );
}

/** Bodies up to this size are read without yielding: some milliseconds, and 20 when all keys differ. */
const WHOLE_BYTES_MAX = 256 * 1024;
/** Bytes of a longer body that are decoded at once. */
const CHUNK_BYTES = 64 * 1024;
const BODY_OPTIONS = {
  depthMax: BODY_JSON_DEPTH_MAX,
  valueCountMax: JSON_SIGN_COUNT_MAX,
  keyCountMax: JSON_KEY_COUNT_MAX,
  takesNonFinite: true,
} as const;

/**
 * Values of each query parameter in the order of the query. `+` is a blank, and a `%` without two digits stays a `%`.
 */
export function readQuery(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const list = values.get(name);
    if (list) list.push(value);
    else values.set(name, [value]);
  }
  return values;
}

/** Accepts `application/json` and any `application/…+json`, with any parameters. */
function isJsonType(contentType: string): boolean {
  const type = contentType.replace(/;.*/s, '').trim().toLowerCase();
  return type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'));
}

/** The bytes are not text in the encoding that their beginning indicates. */
class UnreadableText extends Error {}

/**
 * Yields the text in chunks of whole characters.
 *
 * @throws {UnreadableText}
 */
function* textChunks(bytes: Uint8Array, chunkBytes: number): Generator<string> {
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
  for (let from = 0; from < bytes.byteLength; from += chunkBytes) {
    const to = from + chunkBytes;
    let chunk: string;
    try {
      chunk = decoder.decode(bytes.subarray(from, to), { stream: to < bytes.byteLength });
    } catch {
      throw new UnreadableText();
    }
    yield chunk;
  }
}

/** Start of a body, as long as an issue repeats an input. A character has at most four bytes. */
const beginningOf = (bytes: Uint8Array): string =>
  new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, 4 * (VALIDATION_INPUT_CHARS_MAX + 1)));

/** UTF-8, or UTF-16 by its byte order mark or by the zero byte of an ASCII character. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return 'utf-8';
}
