/** Entries of several owners. Each owner has a queue of its own. */
export class FairQueue<Entry extends { readonly owner: string }> {
  /** The owner that was served last is the last one. Owners without entries are absent. */
  readonly #queues = new Map<string, Entry[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  countOf(owner: string): number {
    return this.#queues.get(owner)?.length ?? 0;
  }

  owners(): string[] {
    return [...this.#queues.keys()];
  }

  push(entry: Entry): void {
    const queue = this.#queues.get(entry.owner);
    if (queue) queue.push(entry);
    else this.#queues.set(entry.owner, [entry]);
    this.#size++;
  }

  /** Adds an entry before the others of its owner. */
  unshift(entry: Entry): void {
    this.#queues.set(entry.owner, [entry, ...(this.#queues.get(entry.owner) ?? [])]);
    this.#size++;
  }

  /** Removes and returns the first entry of the owner with the lowest load, and of those the one that was not served longest. */
  shift(loadOf: (owner: string) => number): Entry | undefined {
    const owners = this.owners();
    const loads = owners.map(loadOf);
    const owner = owners[loads.indexOf(Math.min(...loads))];
    const queue = owner === undefined ? undefined : this.#queues.get(owner);
    const entry = queue?.shift();
    if (!queue || !entry) return undefined;
    this.#queues.delete(entry.owner);
    if (queue.length > 0) this.#queues.set(entry.owner, queue);
    this.#size--;
    return entry;
  }

  delete(entry: Entry): void {
    const queue = this.#queues.get(entry.owner);
    const index = queue?.indexOf(entry) ?? -1;
    if (!queue || index < 0) return;
    queue.splice(index, 1);
    if (queue.length === 0) this.#queues.delete(entry.owner);
    this.#size--;
  }

  /** Removes and returns everything. */
  clear(): Entry[] {
    const entries = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#size = 0;
    return entries;
  }
}
