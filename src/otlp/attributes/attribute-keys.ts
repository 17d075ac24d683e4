// biome-ignore-all lint/style/noNonNullAssertion: keys and spellings are numbers that this table gave, and each has an entry in all arrays.
import { KEY_DEPTH_MAX } from '../../model/limits/spans.ts';

/** Maximum number of cached keys: far more than agents use, and a limit for a sender whose keys never repeat. */
const KEY_COUNT_MAX = 20_000;
const KEY_BYTES_MAX = 4 * 1024 * 1024;

/** The empty path: the parent of a span's attributes. */
export const ROOT_KEY = 0;
/** A key without segments, such as `.`. Its value is dropped. */
export const NO_KEY = -1;

/** One step of a path into nested attributes: a key of an object or an index of a list. */
export interface PathStep {
  /** The key, or the index without leading zeros. */
  readonly name: string;
  readonly isIndex: boolean;
}

/** Flags that say how the value of a span's key is treated. */
export const JSON_TEXT_KEY = 1;
export const TOKEN_COUNT_KEY = 2;
export const DIALECT_KEY = 4;

/**
 * Numbers for attribute keys, which repeat from span to span, with what is derived once from each: its path, and how
 * its value is treated. A key has a parent: the root for attributes of a span, a key with an object value for its
 * members, a key with a list value for its elements.
 *
 * Two spellings of one path with one parent (`a.b`, `a..b`) are the same key.
 */
export class AttributeKeys {
  // Spelling `i` is `pool[start[i] .. start[i] + length[i]]` with parent `parent[i]`, and means key `key[i]`.
  private pool = Buffer.alloc(64 * 1024);
  private poolView = new DataView(this.pool.buffer, this.pool.byteOffset, this.pool.byteLength);
  private poolLength = 0;
  private start = new Int32Array(1024);
  private length = new Int32Array(1024);
  private parent = new Int32Array(1024);
  private key = new Int32Array(1024);
  private spellingCount = 0;
  /** Open addressing: 0 is free, otherwise spelling + 1. */
  private slots = new Int32Array(4096);
  /** Random, so that a sender cannot prepare keys that all collide. */
  private readonly seed = Math.floor(Math.random() * 2 ** 31);

  /** Flags by key. */
  flags = new Uint8Array(1024);
  private readonly parentKeys: number[] = [];
  private readonly steps: PathStep[][] = [];
  private readonly depths: number[] = [];
  private readonly emptyObjects: boolean[] = [];
  private readonly elements = new Map<number, number>();

  private readonly isDialectKey: (key: string) => boolean;

  /** @param isDialectKey whether a key of a span belongs to a dialect other than OpenInference; called once for each key */
  constructor(isDialectKey: (key: string) => boolean) {
    this.isDialectKey = isDialectKey;
    this.addKey(ROOT_KEY, [], 0, false);
  }

  get keyCount(): number {
    return this.steps.length;
  }

  /** Whether a new instance should replace this one. Numbers stay valid until then. */
  get isFull(): boolean {
    return this.keyCount > KEY_COUNT_MAX || this.poolLength > KEY_BYTES_MAX;
  }

  parentOf(key: number): number {
    return this.parentKeys[key]!;
  }

  /** Steps from the parent's path to this key's. */
  stepsOf(key: number): readonly PathStep[] {
    return this.steps[key]!;
  }

  /** Whether this key represents an empty object. */
  isEmptyObject(key: number): boolean {
    return this.emptyObjects[key]!;
  }

  /** The number of the key spelled by these bytes (valid UTF-8), or `NO_KEY`. */
  find(parent: number, bytes: Uint8Array, view: DataView, start: number, end: number): number {
    // In two statements, because finding a new spelling may replace `this.key` by a longer array.
    const spelling = this.findSpelling(parent, bytes, view, start, end);
    return this.key[spelling]!;
  }

  private findSpelling(parent: number, bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const length = end - start;
    const hash = hashKey(this.seed ^ parent, bytes, view, start, end);
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const spelling = this.slots[slot]! - 1;
      if (spelling < 0) return this.addSpelling(slot, parent, bytes, start, end);
      if (this.length[spelling] === length && this.parent[spelling] === parent) {
        if (this.isSpelling(spelling, bytes, view, start, end)) return spelling;
      }
    }
  }

  /** The key of an element of a list. */
  findElement(parent: number, index: number): number {
    const place = parent * 2 ** 32 + index;
    let key = this.elements.get(place);
    if (key === undefined) {
      key = this.addKey(parent, [{ name: String(index), isIndex: true }], 0, false);
      this.elements.set(place, key);
    }
    return key;
  }

  /** The key of the empty object at `parent`. */
  findEmptyObject(parent: number): number {
    const place = parent * 2 ** 32 + 0xffffffff;
    let key = this.elements.get(place);
    if (key === undefined) {
      key = this.addKey(parent, [], 0, true);
      this.elements.set(place, key);
    }
    return key;
  }

  private isSpelling(spelling: number, bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    const { pool, poolView } = this;
    let at = start;
    let poolAt = this.start[spelling]!;
    for (const wordsEnd = end - 3; at < wordsEnd; at += 4, poolAt += 4) {
      if (view.getInt32(at, true) !== poolView.getInt32(poolAt, true)) return false;
    }
    for (; at < end; at++, poolAt++) if (bytes[at] !== pool[poolAt]) return false;
    return true;
  }

  private addSpelling(slot: number, parent: number, bytes: Uint8Array, start: number, end: number): number {
    const spelling = this.spellingCount++;
    this.reserveSpelling(end - start);
    this.pool.set(bytes.subarray(start, end), this.poolLength);
    this.start[spelling] = this.poolLength;
    this.length[spelling] = end - start;
    this.parent[spelling] = parent;
    this.poolLength += end - start;
    this.slots[slot] = spelling + 1;
    const text = this.pool.toString('utf8', this.poolLength - (end - start), this.poolLength);
    // In two statements here too, because the canonical spelling may be new.
    const key = this.toKey(parent, text);
    this.key[spelling] = key;
    if (2 * this.spellingCount > this.slots.length) this.rehash();
    return spelling;
  }

  private toKey(parent: number, text: string): number {
    const steps = toSteps(text, Math.max(1, KEY_DEPTH_MAX - this.depths[parent]!));
    if (steps.length === 0) return NO_KEY;
    const canonical = steps.map(({ name }) => name).join('.');
    if (canonical === text) return this.addKey(parent, steps, parent === ROOT_KEY ? this.flagsOf(text) : 0, false);
    const bytes = Buffer.from(canonical, 'utf8');
    return this.find(parent, bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
  }

  private addKey(parent: number, steps: PathStep[], flags: number, isEmptyObject: boolean): number {
    const key = this.steps.push(steps) - 1;
    this.parentKeys.push(parent);
    this.depths.push((key === ROOT_KEY ? 0 : this.depths[parent]!) + steps.length);
    this.emptyObjects.push(isEmptyObject);
    if (key >= this.flags.length) this.flags = doubled(this.flags, new Uint8Array(2 * this.flags.length));
    this.flags[key] = flags;
    return key;
  }

  private flagsOf(text: string): number {
    let flags = 0;
    if (JSON_TEXT_KEY_ENDS.some((end) => text.endsWith(end))) flags |= JSON_TEXT_KEY;
    if (TOKEN_COUNT_KEYS.includes(text)) flags |= TOKEN_COUNT_KEY;
    if (this.isDialectKey(text)) flags |= DIALECT_KEY;
    return flags;
  }

  private reserveSpelling(bytes: number): void {
    if (this.spellingCount >= this.start.length) {
      const size = 2 * this.start.length;
      this.start = doubled(this.start, new Int32Array(size));
      this.length = doubled(this.length, new Int32Array(size));
      this.parent = doubled(this.parent, new Int32Array(size));
      this.key = doubled(this.key, new Int32Array(size));
    }
    if (this.poolLength + bytes <= this.pool.length) return;
    this.pool = doubled(this.pool, Buffer.alloc(Math.max(2 * this.pool.length, this.poolLength + bytes)));
    this.poolView = new DataView(this.pool.buffer, this.pool.byteOffset, this.pool.byteLength);
  }

  private rehash(): void {
    const old = this.slots;
    // Hashes are not stored, so each spelling is hashed again.
    this.slots = new Int32Array(2 * old.length);
    const mask = this.slots.length - 1;
    for (let spelling = 0; spelling < this.spellingCount; spelling++) {
      let slot = this.hashOf(spelling) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = spelling + 1;
    }
  }

  private hashOf(spelling: number): number {
    const start = this.start[spelling]!;
    return hashKey(this.seed ^ this.parent[spelling]!, this.pool, this.poolView, start, start + this.length[spelling]!);
  }
}

function hashKey(seed: number, bytes: Uint8Array, view: DataView, start: number, end: number): number {
  let hash = Math.imul(seed + 1, 0x9e3779b1) ^ (end - start);
  let at = start;
  for (const wordsEnd = end - 3; at < wordsEnd; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x85ebca6b) ^ (hash >>> 15);
  }
  for (; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

const doubled = <Column extends Uint8Array | Int32Array>(column: Column, larger: Column): Column => {
  larger.set(column);
  return larger;
};

/**
 * The steps of a dotted key in an object. Segments are trimmed and empty ones are dropped. A segment of digits is an
 * index if segments follow it, unless it is the first one or follows an index.
 */
function toSteps(text: string, depthMax: number): PathStep[] {
  let names = text
    .split('.')
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '');
  if (names.length > depthMax) names = [...names.slice(0, depthMax - 1), names.slice(depthMax - 1).join('.')];
  const steps: PathStep[] = [];
  for (const [i, name] of names.entries()) {
    const isIndex = i > 0 && i < names.length - 1 && !steps[i - 1]!.isIndex && /^[0-9]+$/.test(name);
    steps.push({ name: isIndex ? name.replace(/^0+(?=.)/, '') : name, isIndex });
  }
  return steps;
}

const JSON_TEXT_KEY_ENDS = ['metadata', 'llm.prompt_template.variables', 'tool.parameters'];
const TOKEN_COUNT_KEYS = ['llm.token_count.prompt', 'llm.token_count.completion', 'llm.token_count.total'];
