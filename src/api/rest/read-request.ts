import { type ExactJson, JsonDepthError, JsonSizeError } from '../../base/exact-json.ts';
import { countJsonSigns } from '../../base/json-signs.ts';
import { parseExactJson, parseExactJsonYielding } from '../../base/parse-exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import {
  BODY_JSON_DEPTH_MAX,
  FAULT_INPUT_CHARS_MAX,
  JSON_KEY_COUNT_MAX,
  JSON_SIGN_COUNT_MAX,
  jsonHeapBytes,
} from '../../model/limits.ts';
import type { HttpRequest } from '../../server/route.ts';

/** A body: a JSON value, the beginning of what does not claim to be JSON, none at all, or bytes that nobody can read. */
export type RequestBody =
  | { readonly kind: 'json'; readonly value: ExactJson }
  | { readonly kind: 'other'; readonly beginning: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' };

/**
 * @throws {JsonSyntaxError} when the body claims to be JSON and is none
 * @throws {SpandrelError} `BODY_TOO_LARGE` when it has too many values or different keys
 */
export async function readBody(request: HttpRequest): Promise<RequestBody> {
  const { body } = request;
  if (body.byteLength === 0) return { kind: 'absent' };
  if (!isJsonType(request.header('content-type') ?? '')) return { kind: 'other', beginning: beginningOf(body) };
  try {
    const value = body.byteLength <= WHOLE_BYTES_MAX ? await readWhole(request) : await readInTurns(request);
    return value === null ? { kind: 'absent' } : { kind: 'json', value };
  } catch (error) {
    if (error instanceof JsonDepthError || error instanceof UnreadableText) return { kind: 'unreadable' };
    if (error instanceof JsonSizeError) throw new SpandrelError('BODY_TOO_LARGE', `The body is ${error.message}`);
    throw error;
  }
}

async function readWhole({ body, heap }: HttpRequest): Promise<ExactJson> {
  await heap.take(jsonHeapBytes(body.byteLength, countJsonSigns(body)));
  return parseExactJson([...textPieces(body, WHOLE_BYTES_MAX)].join(''), BODY_OPTIONS);
}

/** Queue that reads long bodies one at a time, so that only one request at a time enlarges its share in steps. */
function readInTurns({ body, heap }: HttpRequest): Promise<ExactJson> {
  let textBytes = body.byteLength;
  return parseExactJsonYielding(
    () => textPieces(body, PIECE_BYTES),
    BODY_OPTIONS,
    (valueCount) => {
      const taken = heap.take(jsonHeapBytes(textBytes, valueCount));
      textBytes = 0;
      return taken;
    },
  );
}

/** Bodies up to this are read at once: some milliseconds, and 20 where no two keys are the same. */
const WHOLE_BYTES_MAX = 256 * 1024;
/** Bytes of longer ones that are decoded at once. */
const PIECE_BYTES = 64 * 1024;
const BODY_OPTIONS = {
  depthMax: BODY_JSON_DEPTH_MAX,
  valueCountMax: JSON_SIGN_COUNT_MAX,
  keyCountMax: JSON_KEY_COUNT_MAX,
  takesNonFinite: true,
} as const;

/**
 * Values of each query parameter in the order they came; `+` is a blank, a `%` that opens no byte stays a `%`.
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

/** `application/json` and every `application/…+json`, with whatever parameters. */
function isJsonType(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  return type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'));
}

/** The bytes are no text in the encoding that their beginning tells. */
class UnreadableText extends Error {}

/**
 * The text in pieces of whole characters.
 *
 * @throws {UnreadableText}
 */
function* textPieces(bytes: Uint8Array, pieceBytes: number): Generator<string> {
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
  for (let from = 0; from < bytes.byteLength; from += pieceBytes) {
    const to = from + pieceBytes;
    let piece: string;
    try {
      piece = decoder.decode(bytes.subarray(from, to), { stream: to < bytes.byteLength });
    } catch {
      throw new UnreadableText();
    }
    yield piece;
  }
}

/** As much as a fault repeats, a character being four bytes at most. */
const beginningOf = (bytes: Uint8Array): string =>
  new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, 4 * (FAULT_INPUT_CHARS_MAX + 1)));

/** UTF-8, or UTF-16 told by its byte order mark or by the zero in each ASCII character. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return 'utf-8';
}
