// biome-ignore-all lint/style/noNonNullAssertion: the index is compared with the end before the read.
// The attribute `llm.token_count` out of a span's attributes, without reading the rest of them: three spans in a batch of
// ten have it, and reading all attributes of those took longer than what else is done to store a span.

/**
 * JSON text of the member `llm.token_count` of a JSON object text without blanks between its parts, as the decoder
 * writes it; undefined when there is none.
 */
export const findTokenCountText = (utf8: Uint8Array, start: number, end: number): string | undefined =>
  findText(utf8, start, end, TOKEN_COUNT);

/** JSON text of the member `embedding.model_name`, likewise. */
export const findEmbeddingModelText = (utf8: Uint8Array, start: number, end: number): string | undefined =>
  findText(utf8, start, end, EMBEDDING_MODEL);

function findText(utf8: Uint8Array, start: number, end: number, [outer, inner]: Path): string | undefined {
  const object = findMember(utf8, start, end, outer);
  if (object < 0 || utf8[object] !== OPEN_OBJECT) return undefined;
  const value = findMember(utf8, object, end, inner);
  if (value < 0) return undefined;
  const text = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength);
  return text.toString('utf8', value, skipValue(utf8, value, end));
}

/** Two members, one in the other: their names in quotes, with the colon. */
type Path = readonly [Uint8Array, Uint8Array];
const TOKEN_COUNT: Path = [Buffer.from('"llm":'), Buffer.from('"token_count":')];
const EMBEDDING_MODEL: Path = [Buffer.from('"embedding":'), Buffer.from('"model_name":')];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;

/** Where the value of this member (its name in quotes, with the colon) begins in the object at `at`; -1 for none. */
function findMember(utf8: Uint8Array, at: number, end: number, name: Uint8Array): number {
  let next = at + 1;
  while (next < end && utf8[next] === QUOTE) {
    if (startsWith(utf8, next, name)) return next + name.length;
    next = skipValue(utf8, skipString(utf8, next, end) + 1, end);
    if (utf8[next] !== COMMA) return -1;
    next++;
  }
  return -1;
}

function startsWith(utf8: Uint8Array, at: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) if (utf8[at + i] !== name[i]) return false;
  return true;
}

/** Just after the string that begins here. */
function skipString(utf8: Uint8Array, at: number, end: number): number {
  let next = at + 1;
  while (next < end && utf8[next] !== QUOTE) next += utf8[next] === BACKSLASH ? 2 : 1;
  return next + 1;
}

/** Just after the value that begins here. */
function skipValue(utf8: Uint8Array, at: number, end: number): number {
  let depth = 0;
  let next = at;
  while (next < end) {
    const sign = utf8[next]!;
    if (sign === QUOTE) {
      next = skipString(utf8, next, end);
      if (depth === 0) return next;
      continue;
    }
    if (sign === OPEN_OBJECT || sign === OPEN_LIST) depth++;
    else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) {
      if (depth === 0) return next;
      depth--;
      if (depth === 0) return next + 1;
    } else if (sign === COMMA && depth === 0) return next;
    next++;
  }
  return end;
}
