// biome-ignore-all lint/style/noNonNullAssertion: leaves below the count and keys of the table have an entry in all arrays.
import { isJson, isNull, skipBlanks, skipString, skipValue } from '../json/json-scan.ts';
import { decodeJsonString } from '../json/json-strings.ts';
import { WireReader } from '../protobuf/wire-reader.ts';
import * as tags from '../protobuf/wire-tags.ts';
import { AttributeKeys, DIALECT_KEY, JSON_TEXT_KEY, NO_KEY, ROOT_KEY, TOKEN_COUNT_KEY } from './attribute-keys.ts';
import { integerOfNumber, integerOfText } from './token-count.ts';

// Kinds of leaves, by the meaning of their bytes.
export const LEAF_DROPPED = 0;
/** UTF-8. */
export const LEAF_TEXT = 1;
/** A varint. */
export const LEAF_BOOL = 2;
export const LEAF_INT = 3;
/** Eight bytes, a finite number. */
export const LEAF_DOUBLE = 4;
export const LEAF_BYTES = 5;
/** Content of an ArrayValue. */
export const LEAF_ARRAY = 6;
/** Content of a KeyValueList. */
export const LEAF_KVLIST = 7;
/** A value in JSON text, except null. */
export const LEAF_JSON = 8;
/** No bytes: the value is `integers[start]`. */
export const LEAF_INTEGER = 9;
/** No bytes: the value is `{}`. */
export const LEAF_EMPTY_OBJECT = 10;

/** Maximum number of leaves per attribute. A larger object or list is one leaf. */
const EXPANDED_LEAF_COUNT_MAX = 20_000;

/**
 * The attributes of a span as a table of leaves: the key of each, and the position of its value in the body. Objects,
 * and lists that contain only objects, are divided into their members. Nulls, NaN and infinities are dropped. The last
 * value of a repeated key wins.
 */
export class AttributeLeaves {
  keys: AttributeKeys;
  count = 0;
  key = new Int32Array(256);
  kind = new Uint8Array(256);
  start = new Int32Array(256);
  end = new Int32Array(256);
  readonly integers: bigint[] = [];
  /** Whether an attribute of the span belongs to a dialect other than OpenInference. */
  hasDialect = false;

  private readonly isDialectKey: (key: string) => boolean;
  private wire = new WireReader(new Uint8Array(0));
  private hasDropped = false;
  private firstOfAttribute = 0;
  /** The last span with each key, and its leaves in that span. */
  private stamp = new Int32Array(1024);
  private firstLeaf = new Int32Array(1024);
  private lastLeaf = new Int32Array(1024);
  private span = 0;

  /** @param isDialectKey see `AttributeKeys` */
  constructor(isDialectKey: (key: string) => boolean) {
    this.isDialectKey = isDialectKey;
    this.keys = new AttributeKeys(isDialectKey);
  }

  /** Removes the previous span. `wire` is the body that contains the next attributes. */
  begin(wire: WireReader): void {
    if (this.keys.isFull || this.span === 0x7fffffff) {
      this.keys = new AttributeKeys(this.isDialectKey);
      this.stamp.fill(0);
      this.span = 0;
    }
    this.wire = wire;
    this.span++;
    this.count = 0;
    this.integers.length = 0;
    this.hasDialect = false;
    this.hasDropped = false;
  }

  /** Removes dropped leaves. Call it before reading the table. */
  finish(): void {
    if (!this.hasDropped) return;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.kind[i] === LEAF_DROPPED) continue;
      this.key[kept] = this.key[i]!;
      this.kind[kept] = this.kind[i]!;
      this.start[kept] = this.start[i]!;
      this.end[kept] = this.end[i]!;
      kept++;
    }
    this.count = kept;
  }

  /** Adds an attribute of the span: a KeyValue whose length is at `at`. */
  addAttribute(at: number): void {
    this.firstOfAttribute = this.count;
    this.addKeyValue(ROOT_KEY, at);
  }

  /** Adds the members of the JSON object at `at` as attributes of the span. */
  addJsonAttributes(at: number, end: number): void {
    this.addJsonMembers(ROOT_KEY, at, end);
  }

  /** Adds a JSON value as an attribute of the span. It replaces an earlier one of the same name. */
  addJsonAttribute(name: Uint8Array, at: number, end: number): void {
    const view = new DataView(name.buffer, name.byteOffset, name.byteLength);
    this.firstOfAttribute = this.count;
    this.addJson(this.keys.find(ROOT_KEY, name, view, 0, name.length), at, end);
  }

  private addKeyValue(parent: number, before: number): void {
    const { wire } = this;
    const end = wire.enter(before);
    let keyStart = end;
    let keyEnd = end;
    let valueAt = -1;
    for (let at = wire.at; at < end; ) {
      const tag = wire.tag(at);
      at = wire.at;
      if (tag === tags.KEY_VALUE_KEY) {
        keyEnd = wire.enter(at);
        keyStart = wire.at;
        at = keyEnd;
      } else if (tag === tags.KEY_VALUE_VALUE) {
        valueAt = at;
        at = wire.enter(at);
      } else at = wire.skip(tag, at);
    }
    if (valueAt < 0) return;
    const key = this.keys.find(parent, wire.bytes, wire.view, keyStart, keyEnd);
    if (key !== NO_KEY) this.addValue(key, valueAt);
  }

  /** Adds an AnyValue whose length is at `before`. */
  private addValue(key: number, before: number): void {
    const { wire } = this;
    const end = wire.enter(before);
    for (let at = wire.at; at < end; ) {
      const tag = wire.tag(at);
      at = wire.at;
      if (tag === tags.ANY_VALUE_STRING) {
        const textEnd = wire.enter(at);
        this.addKnown(key, LEAF_TEXT, wire.at, textEnd);
        return;
      }
      if (tag === tags.ANY_VALUE_INT) {
        this.addKnown(key, LEAF_INT, at, at);
        return;
      }
      if (tag === tags.ANY_VALUE_BOOL) {
        this.addKnown(key, LEAF_BOOL, at, at);
        return;
      }
      if (tag === tags.ANY_VALUE_DOUBLE) {
        if (Number.isFinite(wire.view.getFloat64(at, true))) this.addKnown(key, LEAF_DOUBLE, at, at);
        return;
      }
      if (tag === tags.ANY_VALUE_BYTES) {
        const bytesEnd = wire.enter(at);
        this.addKnown(key, LEAF_BYTES, wire.at, bytesEnd);
        return;
      }
      if (tag === tags.ANY_VALUE_ARRAY) {
        this.addList(key, at, LEAF_ARRAY);
        return;
      }
      if (tag === tags.ANY_VALUE_KVLIST) {
        this.addList(key, at, LEAF_KVLIST);
        return;
      }
      at = wire.skip(tag, at);
    }
  }

  private addKnown(key: number, kind: number, start: number, end: number): void {
    this.open(key);
    const flags = this.keys.flags[key]!;
    if (flags === 0) this.add(key, kind, start, end);
    else this.addFlagged(key, flags, kind, start, end);
    this.close(key);
  }

  private addFlagged(key: number, flags: number, kind: number, start: number, end: number): void {
    if ((flags & DIALECT_KEY) !== 0) this.hasDialect = true;
    const { bytes, view } = this.wire;
    if ((flags & JSON_TEXT_KEY) !== 0 && kind === LEAF_TEXT && isJson(bytes, start, end)) {
      this.addJsonValue(key, skipBlanks(bytes, start, end), end);
      return;
    }
    if ((flags & TOKEN_COUNT_KEY) !== 0) {
      const integer =
        kind === LEAF_TEXT
          ? integerOfText(Buffer.from(bytes.subarray(start, Math.min(end, start + 100))).toString('utf8'))
          : kind === LEAF_DOUBLE
            ? integerOfNumber(view.getFloat64(start, true))
            : undefined;
      if (integer !== undefined) {
        this.add(key, LEAF_INTEGER, this.integers.push(integer) - 1, 0);
        return;
      }
    }
    this.add(key, kind, start, end);
  }

  /** Adds an ArrayValue or KeyValueList whose length is at `before`. */
  private addList(key: number, before: number, kind: number): void {
    const { wire, keys } = this;
    const end = wire.enter(before);
    const start = wire.at;
    if ((keys.flags[key]! & DIALECT_KEY) !== 0) this.hasDialect = true;
    this.open(key);
    if (kind === LEAF_ARRAY && !this.isListOfObjects(start, end)) this.add(key, LEAF_ARRAY, start, end);
    else {
      const first = this.count;
      if (kind === LEAF_KVLIST) this.addMembers(key, start, end);
      else this.addElements(key, start, end);
      this.keepWholeWhenLarge(key, kind, first, start, end);
    }
    this.close(key);
  }

  private addMembers(key: number, start: number, end: number): void {
    const { wire } = this;
    const first = this.count;
    for (let at = start; at < end && !this.isLarge; ) {
      const tag = wire.tag(at);
      at = wire.at;
      const next = wire.skip(tag, at);
      if (tag === tags.LIST_VALUES) this.addKeyValue(key, at);
      at = next;
    }
    if (this.count === first) this.add(this.keys.findEmptyObject(key), LEAF_EMPTY_OBJECT, 0, 0);
  }

  private addElements(key: number, start: number, end: number): void {
    const { wire } = this;
    let index = 0;
    for (let at = start; at < end && !this.isLarge; ) {
      const tag = wire.tag(at);
      at = wire.at;
      const next = wire.skip(tag, at);
      if (tag === tags.LIST_VALUES) this.addValue(this.keys.findElement(key, index++), at);
      at = next;
    }
  }

  /** Whether an ArrayValue has elements and all of them are key-value lists. */
  private isListOfObjects(start: number, end: number): boolean {
    const { wire } = this;
    let count = 0;
    for (let at = start; at < end; ) {
      const tag = wire.tag(at);
      at = wire.at;
      const next = wire.skip(tag, at);
      if (tag === tags.LIST_VALUES) {
        count++;
        const valueEnd = wire.enter(at);
        if (!this.isObject(wire.at, valueEnd)) return false;
      }
      at = next;
    }
    return count > 0;
  }

  private isObject(start: number, end: number): boolean {
    const { wire } = this;
    for (let at = start; at < end; ) {
      const tag = wire.tag(at);
      if (tag === tags.ANY_VALUE_KVLIST) return true;
      if (tags.isValue(tag)) return false;
      at = wire.skip(tag, wire.at);
    }
    return false;
  }

  // The methods for JSON return the position after the value, so that nothing is read twice. If a value is too large,
  // they stop early; the caller knows where the attribute ends.

  /** Adds a JSON value unless it is null. Handles repeated keys. */
  private addJson(key: number, at: number, end: number): number {
    if (isNull(this.wire.bytes, at)) return skipValue(this.wire.bytes, at, end);
    this.open(key);
    const after = this.addJsonValue(key, at, end);
    this.close(key);
    return after;
  }

  private addJsonValue(key: number, at: number, end: number): number {
    const { bytes } = this.wire;
    if (isNull(bytes, at)) return end;
    const first = this.count;
    let after: number;
    if (bytes[at] === OPEN_OBJECT) {
      after = this.addJsonMembers(key, at, end);
      if (this.count === first) this.add(this.keys.findEmptyObject(key), LEAF_EMPTY_OBJECT, 0, 0);
    } else if (bytes[at] === OPEN_LIST) after = this.addJsonList(key, at, end);
    else {
      after = skipValue(bytes, at, end);
      this.add(key, LEAF_JSON, at, after);
    }
    if (!this.isLarge || this.keys.parentOf(key) !== ROOT_KEY) return after;
    after = skipValue(bytes, at, end);
    this.keepWholeWhenLarge(key, LEAF_JSON, first, at, after);
    return after;
  }

  private addJsonMembers(parent: number, objectAt: number, end: number): number {
    const { bytes, view } = this.wire;
    let at = skipBlanks(bytes, objectAt + 1, end);
    while (bytes[at] === QUOTE) {
      if (parent === ROOT_KEY) this.firstOfAttribute = this.count;
      if (this.isLarge) return at;
      const keyEnd = skipString(bytes, at);
      const key = this.findJsonKey(parent, bytes, view, at + 1, keyEnd - 1);
      // Skips the colon.
      at = skipBlanks(bytes, skipBlanks(bytes, keyEnd, end) + 1, end);
      at = key === NO_KEY ? skipValue(bytes, at, end) : this.addJson(key, at, end);
      at = skipBlanks(bytes, at, end);
      if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1, end);
    }
    return at + 1;
  }

  /** Adds the elements of a list one by one while they are objects. If one is not, the list is a single leaf. */
  private addJsonList(key: number, listAt: number, end: number): number {
    const { bytes } = this.wire;
    const first = this.count;
    let at = skipBlanks(bytes, listAt + 1, end);
    let index = 0;
    while (bytes[at] === OPEN_OBJECT) {
      if (this.isLarge) return at;
      at = skipBlanks(bytes, this.addJson(this.keys.findElement(key, index++), at, end), end);
      if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1, end);
    }
    if (bytes[at] === CLOSE_LIST && index > 0) return at + 1;
    if (index > 0) this.drop(first, this.count);
    const after = skipListRest(bytes, at, end);
    this.add(key, LEAF_JSON, listAt, after);
    return after;
  }

  private findJsonKey(parent: number, bytes: Uint8Array, view: DataView, start: number, end: number): number {
    for (let i = start; i < end; i++) {
      if (bytes[i] !== 0x5c) continue;
      const decoded = decodeJsonString(bytes, start, end);
      const decodedView = new DataView(decoded.buffer, decoded.byteOffset, decoded.byteLength);
      return this.keys.find(parent, decoded, decodedView, 0, decoded.length);
    }
    return this.keys.find(parent, bytes, view, start, end);
  }

  private get isLarge(): boolean {
    return this.count - this.firstOfAttribute > EXPANDED_LEAF_COUNT_MAX;
  }

  /** If an attribute has too many leaves, replaces them by one leaf. */
  private keepWholeWhenLarge(key: number, kind: number, first: number, start: number, end: number): void {
    if (!this.isLarge || this.keys.parentOf(key) !== ROOT_KEY) return;
    this.drop(first, this.count);
    this.add(key, kind, start, end);
    this.firstOfAttribute = this.count;
  }

  private open(key: number): void {
    if (key >= this.stamp.length) this.growByKey();
    if (this.stamp[key] === this.span) this.drop(this.firstLeaf[key]!, this.lastLeaf[key]!);
    this.stamp[key] = this.span;
    this.firstLeaf[key] = this.count;
  }

  private close(key: number): void {
    this.lastLeaf[key] = this.count;
  }

  private drop(from: number, to: number): void {
    this.kind.fill(LEAF_DROPPED, from, to);
    this.hasDropped = true;
  }

  private add(key: number, kind: number, start: number, end: number): void {
    const i = this.count;
    if (i === this.kind.length) this.grow();
    this.key[i] = key;
    this.kind[i] = kind;
    this.start[i] = start;
    this.end[i] = end;
    this.count = i + 1;
  }

  private grow(): void {
    const size = 2 * this.kind.length;
    this.key = copied(this.key, new Int32Array(size));
    this.start = copied(this.start, new Int32Array(size));
    this.end = copied(this.end, new Int32Array(size));
    const kind = new Uint8Array(size);
    kind.set(this.kind);
    this.kind = kind;
  }

  private growByKey(): void {
    const size = 2 * this.keys.keyCount;
    this.stamp = copied(this.stamp, new Int32Array(size));
    this.firstLeaf = copied(this.firstLeaf, new Int32Array(size));
    this.lastLeaf = copied(this.lastLeaf, new Int32Array(size));
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;

/** Position after the JSON list that has an element, or its end, at `start`. */
function skipListRest(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (bytes[at] !== CLOSE_LIST) {
    at = skipBlanks(bytes, skipValue(bytes, at, end), end);
    if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1, end);
  }
  return at + 1;
}

const copied = (column: Int32Array<ArrayBuffer>, larger: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
  larger.set(column);
  return larger;
};
