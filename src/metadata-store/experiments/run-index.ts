/** Index of each run by its row id. */
export class RunIndex {
  readonly count: number;
  readonly #first: number;
  /** Index by distance from the first row id. Undefined when the row ids are far apart. */
  readonly #dense: Int32Array | undefined;
  readonly #sparse = new Map<number, number>();

  constructor(rowIds: Float64Array) {
    this.count = rowIds.length;
    let [first, last] = [Number.POSITIVE_INFINITY, 0];
    for (const rowId of rowIds) {
      first = Math.min(first, rowId);
      last = Math.max(last, rowId);
    }
    this.#first = first;
    // The runs of an experiment are often stored one after the other.
    if (rowIds.length > 0 && last - first < 8 * rowIds.length) {
      const dense = new Int32Array(last - first + 1).fill(-1);
      for (let index = 0; index < rowIds.length; index++) dense[(rowIds[index] as number) - first] = index;
      this.#dense = dense;
    } else for (let index = 0; index < rowIds.length; index++) this.#sparse.set(rowIds[index] as number, index);
  }

  /** −1: the experiment has no such run. */
  find(rowId: number): number {
    if (this.#dense) return this.#dense[rowId - this.#first] ?? -1;
    return this.#sparse.get(rowId) ?? -1;
  }
}
