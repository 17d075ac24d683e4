/** Runs work one after another, in the order of the calls. */
export interface SerialQueue {
  /** @throws {Error} from `onFull` */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** What runs or waits. */
  readonly length: number;
}

/** @param lengthMax Maximum of what runs or waits. More is rejected. */
export function createSerialQueue(lengthMax: number, onFull: () => Error): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  let length = 0;
  return {
    async run(work) {
      if (length >= lengthMax) throw onFull();
      length++;
      const result = last.then(work);
      last = result.catch(() => {});
      try {
        return await result;
      } finally {
        length--;
      }
    },
    get length() {
      return length;
    },
  };
}
