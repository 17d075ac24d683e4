/**
 * A map that evicts entries that were not used recently. It has two generations; when the young one is full, it replaces the
 * old one. Contains between `youngCountMax` and twice as many entries.
 */
export class RecentMap<Key, Value> {
  readonly #youngCountMax: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  constructor(youngCountMax: number) {
    this.#youngCountMax = youngCountMax;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#youngCountMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }
}
