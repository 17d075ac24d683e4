import { type ExactJson, JsonDepthError, JsonSizeError } from '../../base/exact-json.ts';
import { parseExactJsonInTurns } from '../../base/parse-exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import { BODY_JSON_DEPTH_MAX, JSON_KEY_COUNT_MAX, JSON_SIGN_COUNT_MAX } from '../../model/limits.ts';
import type { HttpRequest } from '../../server/route.ts';

/** A body: a JSON value, a text that does not claim to be JSON, none at all, or bytes that nobody can read. */
export type RequestBody =
  | { readonly kind: 'json'; readonly value: ExactJson }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' };

/**
 * @throws {JsonSyntaxError} when the body claims to be JSON and is none
 * @throws {SpandrelError} `BODY_TOO_LARGE` when it has too many values or different keys
 */
export async function readBody(request: HttpRequest): Promise<RequestBody> {
  if (request.body.byteLength === 0) return { kind: 'absent' };
  const text = decodeText(request.body);
  if (!isJsonType(request.header('content-type') ?? '')) {
    return { kind: 'text', text: text ?? Buffer.from(request.body).toString('latin1') };
  }
  if (text === undefined) return { kind: 'unreadable' };
  try {
    const value = await parseExactJsonInTurns(text, BODY_OPTIONS);
    return value === null ? { kind: 'absent' } : { kind: 'json', value };
  } catch (error) {
    if (error instanceof JsonDepthError) return { kind: 'unreadable' };
    if (error instanceof JsonSizeError) throw new SpandrelError('BODY_TOO_LARGE', `The body is ${error.message}`);
    throw error;
  }
}

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

/** UTF-8, or UTF-16 told by its byte order mark or by the zero in each ASCII character. */
function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const encoding =
    (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
      ? 'utf-16be'
      : (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
        ? 'utf-16le'
        : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
