import { expectPresent } from '../../../base/expect-present.ts';
import type { QuantileQuery } from '../../../domain/domain.ts';
import type { FilteredRange } from '../arguments.ts';

interface Group {
  readonly query: Omit<QuantileQuery, 'probabilities'>;
  readonly asked: { readonly probability: number; resolve(value: number | null): void; reject(error: unknown): void }[];
}

/** Combines requests for single quantiles of the same durations into one scan. */
export class QuantileLoader {
  readonly #find: (query: QuantileQuery) => Promise<number[] | undefined>;
  readonly #groups = new Map<string, Group>();

  constructor(find: (query: QuantileQuery) => Promise<number[] | undefined>) {
    this.#find = find;
  }

  /** Milliseconds. Null when there is no data in the range. */
  load(of: QuantileQuery['of'], projectId: number, range: FilteredRange, probability: number): Promise<number | null> {
    const { startTimeUnixNano, endTimeUnixNano, filter, sessionFilter } = range;
    const texts = `${filter?.text ?? ''}\0${sessionFilter?.text ?? ''}`;
    const key = `${of} ${projectId} ${startTimeUnixNano} ${endTimeUnixNano} ${texts}`;
    let group = this.#groups.get(key);
    if (!group) {
      group = { query: { of, projectId, ...range }, asked: [] };
      this.#groups.set(key, group);
      setImmediate(() => this.#flush(key));
    }
    const { asked } = group;
    return new Promise((resolve, reject) => asked.push({ probability, resolve, reject }));
  }

  async #flush(key: string): Promise<void> {
    const { query, asked } = expectPresent(this.#groups.get(key), 'a flush is scheduled once for a group');
    this.#groups.delete(key);
    try {
      const values = await this.#find({ ...query, probabilities: asked.map(({ probability }) => probability) });
      for (const [index, { resolve }] of asked.entries()) resolve(values?.[index] ?? null);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
