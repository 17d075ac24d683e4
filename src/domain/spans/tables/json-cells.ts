// biome-ignore-all lint/style/noNonNullAssertion: offsets are below the end of a text.
import type { TextColumnBuilder } from '../../../columns/text-column-builder.ts';
import type { FlatName } from './flat-names.ts';

/**
 * Thrown for a text that the readers of bytes leave to the JSON parser: keys with escapes, dots or leading digits, repeated keys,
 * escapes that would be printed in another form. Without a stack, because some spans have many of them.
 */
export const NOT_PLAIN = new Error('the JSON text needs the parser');

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const DOT = 0x2e;
export const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Nesting beyond which a text is left to the parser. */
const DEPTH_MAX = 64;
/** Keys of an object beyond which it is left to the parser, because each is compared with the others. */
const KEY_COUNT_MAX = 64;

export function skipBlanks(bytes: Uint8Array, at: number): number {
  for (let code = bytes[at]; code === 32 || code === 10 || code === 13 || code === 9; ) code = bytes[++at];
  return at;
}

/** Position after the string that begins at `at`. */
function skipString(bytes: Uint8Array, at: number): number {
  for (at++; ; at++) {
    const code = bytes[at];
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) {
      // `JSON.stringify` writes other characters in no other way.
      if (!isShortEscape(bytes[++at]!)) throw NOT_PLAIN;
    } else if (code === undefined) throw NOT_PLAIN;
  }
}

const isShortEscape = (code: number): boolean =>
  code === 0x6e ||
  code === QUOTE ||
  code === BACKSLASH ||
  code === 0x74 ||
  code === 0x72 ||
  code === 0x62 ||
  code === 0x66;

/** Position after the value that begins at `at`. */
function skipValue(bytes: Uint8Array, at: number): number {
  const code = bytes[at]!;
  if (code === QUOTE) return skipString(bytes, at);
  if (code !== OPEN_OBJECT && code !== OPEN_LIST) return skipWord(bytes, at);
  let depth = 0;
  for (;;) {
    const sign = bytes[at];
    if (sign === QUOTE) {
      at = skipString(bytes, at);
      continue;
    }
    if (sign === undefined) throw NOT_PLAIN;
    at++;
    if (sign === OPEN_OBJECT || sign === OPEN_LIST) depth++;
    else if ((sign === CLOSE_OBJECT || sign === CLOSE_LIST) && --depth === 0) return at;
  }
}

/** Position after a number or a word. */
export function skipWord(bytes: Uint8Array, at: number): number {
  const start = at;
  for (; at < bytes.length; at++) {
    const code = bytes[at]!;
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_LIST || code <= 32) break;
  }
  const first = bytes[start]!;
  // A digit, a minus, `true`, `false` or `null`.
  if (
    at === start ||
    !((first >= 48 && first <= 57) || first === 45 || first === 116 || first === 102 || first === 110)
  ) {
    throw NOT_PLAIN;
  }
  return at;
}

/** The text of a string without its quotes and escapes. Returns the position after it. */
export function appendText(out: TextColumnBuilder, bytes: Uint8Array, at: number): number {
  const from = at + 1;
  const end = skipString(bytes, at);
  let escapeAt = from;
  while (escapeAt < end && bytes[escapeAt] !== BACKSLASH) escapeAt++;
  if (escapeAt >= end - 1) {
    out.append(bytes, from, end - 1);
    return end;
  }
  out.reserve(end - from);
  const { utf8 } = out;
  let to = out.length;
  for (let i = from; i < end - 1; i++) utf8[to++] = bytes[i] === BACKSLASH ? unescaped(bytes[++i]!) : bytes[i]!;
  out.length = to;
  return end;
}

function unescaped(code: number): number {
  switch (code) {
    case 0x6e:
      return 10;
    case 0x74:
      return 9;
    case 0x72:
      return 13;
    case 0x62:
      return 8;
    case 0x66:
      return 12;
    default:
      return code;
  }
}

/** Reads the members of objects one after the other. */
export class Members {
  readonly #bytes: Uint8Array;
  readonly #seen: number[] = [];
  #at: number;
  keyStart = 0;
  keyEnd = 0;
  valueStart = 0;

  /** @param at Position of the opening bracket. */
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** @param from Position after the value of the member before; at first that after the bracket. */
  next(from: number): boolean {
    const bytes = this.#bytes;
    let at = skipBlanks(bytes, from);
    const isFirst = from === this.#at + 1;
    if (bytes[at] === CLOSE_OBJECT) {
      this.#at = at + 1;
      return false;
    }
    if (!isFirst) {
      if (bytes[at] !== COMMA) throw NOT_PLAIN;
      at = skipBlanks(bytes, at + 1);
    }
    if (bytes[at] !== QUOTE) throw NOT_PLAIN;
    this.keyStart = at + 1;
    const first = bytes[at + 1]!;
    // Objects order such keys before all others.
    if (first >= 48 && first <= 57) throw NOT_PLAIN;
    for (at++; bytes[at] !== QUOTE; at++) {
      const code = bytes[at];
      if (code === BACKSLASH || code === DOT || code === undefined) throw NOT_PLAIN;
    }
    this.keyEnd = at;
    this.#checkRepeated();
    at = skipBlanks(bytes, at + 1);
    if (bytes[at] !== COLON) throw NOT_PLAIN;
    this.valueStart = skipBlanks(bytes, at + 1);
    return true;
  }

  #checkRepeated(): void {
    const seen = this.#seen;
    for (let index = 0; index < seen.length; index += 2) {
      if (areEqual(this.#bytes, seen[index]!, seen[index + 1]!, this.#bytes, this.keyStart, this.keyEnd))
        throw NOT_PLAIN;
    }
    if (seen.length >= 2 * KEY_COUNT_MAX) throw NOT_PLAIN;
    seen.push(this.keyStart, this.keyEnd);
  }

  /** Position after the object, once `next` has returned false. */
  get end(): number {
    return this.#at;
  }
}

function areEqual(a: Uint8Array, from: number, to: number, b: Uint8Array, start: number, end: number): boolean {
  if (to - from !== end - start) return false;
  for (let i = 0; i < to - from; i++) if (a[from + i] !== b[start + i]) return false;
  return true;
}

/** A member of an object that is merged with another one. */
interface Member {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
}

/**
 * Writes JSON values with the names inside of them dotted, as `NameFlattener` does, from their bytes. Two values of one name, from
 * two parts of the attributes, are merged on the way.
 *
 * @throws NOT_PLAIN
 */
export class JsonValueWriter {
  readonly #root: FlatName;
  #out!: TextColumnBuilder;

  constructor(root: FlatName) {
    this.#root = root;
  }

  /** Returns the position after the value. */
  copy(out: TextColumnBuilder, bytes: Uint8Array, at: number): number {
    this.#out = out;
    return this.#copyValue(bytes, at, 0);
  }

  /** Writes the value of both. Returns the position after the second one. */
  merge(out: TextColumnBuilder, one: Uint8Array, oneAt: number, other: Uint8Array, otherAt: number): number {
    this.#out = out;
    return this.#mergeValues(one, oneAt, other, otherAt, 0);
  }

  #copyValue(bytes: Uint8Array, at: number, depth: number): number {
    if (depth > DEPTH_MAX) throw NOT_PLAIN;
    const code = bytes[at]!;
    if (code === OPEN_OBJECT) {
      this.#sign(OPEN_OBJECT);
      this.#isFirst = true;
      const end = this.#copyMembers(this.#root, bytes, at, depth);
      this.#sign(CLOSE_OBJECT);
      this.#isFirst = false;
      return end;
    }
    if (code === OPEN_LIST) return this.#copyList(bytes, at, depth);
    const end = code === QUOTE ? skipString(bytes, at) : skipWord(bytes, at);
    this.#out.append(bytes, at, end);
    return end;
  }

  #copyList(bytes: Uint8Array, start: number, depth: number): number {
    this.#sign(OPEN_LIST);
    let at = skipBlanks(bytes, start + 1);
    for (let isFirst = true; bytes[at] !== CLOSE_LIST; isFirst = false) {
      if (!isFirst) {
        if (bytes[at] !== COMMA) throw NOT_PLAIN;
        this.#sign(COMMA);
        at = skipBlanks(bytes, at + 1);
      }
      at = skipBlanks(bytes, this.#copyValue(bytes, at, depth + 1));
    }
    this.#sign(CLOSE_LIST);
    return at + 1;
  }

  /** Whether no member of the object that is being written was written. */
  #isFirst = true;

  /** Members of an object, whose names begin with `name`. Returns the position after the object. */
  #copyMembers(name: FlatName, bytes: Uint8Array, at: number, depth: number): number {
    const members = new Members(bytes, at);
    for (let from = at + 1; members.next(from); ) {
      from = this.#copyMember(
        name.childOf(bytes, members.keyStart, members.keyEnd),
        bytes,
        members.valueStart,
        depth + 1,
      );
    }
    return members.end;
  }

  #copyMember(child: FlatName, bytes: Uint8Array, at: number, depth: number): number {
    if (depth > DEPTH_MAX) throw NOT_PLAIN;
    if (child.isOpened && bytes[at] === OPEN_OBJECT) return this.#copyMembers(child, bytes, at, depth);
    this.#key(child);
    return this.#copyValue(bytes, at, depth);
  }

  #key(name: FlatName): void {
    if (!this.#isFirst) this.#sign(COMMA);
    this.#isFirst = false;
    this.#out.append(name.opening, 0, name.opening.length);
  }

  #sign(code: number): void {
    this.#out.reserve(1);
    this.#out.utf8[this.#out.length++] = code;
  }

  /** Returns the position after the second value. */
  #mergeValues(one: Uint8Array, oneAt: number, other: Uint8Array, otherAt: number, depth: number): number {
    if (depth > DEPTH_MAX) throw NOT_PLAIN;
    const [oneCode, otherCode] = [one[oneAt], other[otherAt]];
    if (oneCode === OPEN_OBJECT && otherCode === OPEN_OBJECT) {
      this.#sign(OPEN_OBJECT);
      this.#isFirst = true;
      const end = this.#mergeMembers(this.#root, one, oneAt, other, otherAt, depth);
      this.#sign(CLOSE_OBJECT);
      this.#isFirst = false;
      return end;
    }
    if (oneCode === OPEN_LIST && otherCode === OPEN_LIST) return this.#mergeLists(one, oneAt, other, otherAt, depth);
    return this.#copyValue(other, otherAt, depth);
  }

  /** The elements of both are read side by side, so that each text is read once. */
  #mergeLists(one: Uint8Array, oneAt: number, other: Uint8Array, otherAt: number, depth: number): number {
    this.#sign(OPEN_LIST);
    let a = firstElement(one, oneAt);
    let b = firstElement(other, otherAt);
    for (let isFirst = true; one[a] !== CLOSE_LIST || other[b] !== CLOSE_LIST; isFirst = false) {
      if (!isFirst) this.#sign(COMMA);
      if (one[a] === CLOSE_LIST) b = nextElement(other, this.#copyValue(other, b, depth + 1));
      else if (other[b] === CLOSE_LIST) a = nextElement(one, this.#copyValue(one, a, depth + 1));
      else {
        const end = this.#mergeValues(one, a, other, b, depth + 1);
        a = nextElement(one, skipValue(one, a));
        b = nextElement(other, end);
      }
    }
    this.#sign(CLOSE_LIST);
    return b + 1;
  }

  /** Returns the position after the second object. */
  #mergeMembers(
    name: FlatName,
    one: Uint8Array,
    oneAt: number,
    other: Uint8Array,
    otherAt: number,
    depth: number,
  ): number {
    if (depth > DEPTH_MAX) throw NOT_PLAIN;
    const { members: ofOther, end } = membersOf(other, otherAt);
    const isTaken = new Array<boolean>(ofOther.length).fill(false);
    for (const { keyStart, keyEnd, valueStart } of membersOf(one, oneAt).members) {
      const child = name.childOf(one, keyStart, keyEnd);
      const index = ofOther.findIndex((member) =>
        areEqual(one, keyStart, keyEnd, other, member.keyStart, member.keyEnd),
      );
      if (index < 0) {
        this.#copyMember(child, one, valueStart, depth + 1);
        continue;
      }
      isTaken[index] = true;
      const { valueStart: otherStart } = ofOther[index]!;
      const areObjects = one[valueStart] === OPEN_OBJECT && other[otherStart] === OPEN_OBJECT;
      const areLists = one[valueStart] === OPEN_LIST && other[otherStart] === OPEN_LIST;
      if (areObjects && child.isOpened) this.#mergeMembers(child, one, valueStart, other, otherStart, depth + 1);
      else if (areObjects || areLists) {
        this.#key(child);
        this.#mergeValues(one, valueStart, other, otherStart, depth + 1);
      } else this.#copyMember(child, other, otherStart, depth + 1);
    }
    for (const [index, { keyStart, keyEnd, valueStart }] of ofOther.entries()) {
      if (!isTaken[index]) this.#copyMember(name.childOf(other, keyStart, keyEnd), other, valueStart, depth + 1);
    }
    return end;
  }
}

function membersOf(bytes: Uint8Array, at: number): { readonly members: Member[]; readonly end: number } {
  const found: Member[] = [];
  const members = new Members(bytes, at);
  for (let from = at + 1; members.next(from); ) {
    const { keyStart, keyEnd, valueStart } = members;
    found.push({ keyStart, keyEnd, valueStart });
    from = skipValue(bytes, valueStart);
  }
  return { members: found, end: members.end };
}

/** Position of the first element of a list, or of its end. */
const firstElement = (bytes: Uint8Array, start: number): number => skipBlanks(bytes, start + 1);

/** Position of the element after a value that ends at `end`, or of the end of the list. */
function nextElement(bytes: Uint8Array, end: number): number {
  const at = skipBlanks(bytes, end);
  if (bytes[at] === CLOSE_LIST) return at;
  if (bytes[at] !== COMMA) throw NOT_PLAIN;
  return skipBlanks(bytes, at + 1);
}
