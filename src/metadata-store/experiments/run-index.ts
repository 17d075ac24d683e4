/** Index of each run by its row id. */
export class RunIndex {
  readonly rowIds: Float64Array;
  /** Undefined until the first search: the scores of most experiments are those of its runs in order. */
  #find: ((rowId: number) => number) | undefined;

  constructor(rowIds: Float64Array) {
    this.rowIds = rowIds;
  }

  get count(): number {
    return this.rowIds.length;
  }

  /** −1: the experiment has no such run. */
  find(rowId: number): number {
    this.#find ??= indexOf(this.rowIds);
    return this.#find(rowId);
  }
}

function indexOf(rowIds: Float64Array): (rowId: number) => number {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const rowId of rowIds) {
    first = Math.min(first, rowId);
    last = Math.max(last, rowId);
  }
  // The runs of an experiment are often stored one after the other.
  if (rowIds.length > 0 && last - first < 8 * rowIds.length) {
    const dense = new Int32Array(last - first + 1).fill(-1);
    rowIds.forEach((rowId, index) => {
      dense[rowId - first] = index;
    });
    return (rowId) => dense[rowId - first] ?? -1;
  }
  const sparse = new Map<number, number>();
  rowIds.forEach((rowId, index) => {
    sparse.set(rowId, index);
  });
  return (rowId) => sparse.get(rowId) ?? -1;
}
