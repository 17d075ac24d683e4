import { createHash } from 'node:crypto';
import { StatisticsError } from '../statistics/statistics-error.ts';

/**
 * What a labelled item is used for. `held_out`: measures the judge, and nothing else; `examples`: may be shown in its prompt;
 * `tuning`: compares versions of the prompt.
 */
export type Split = 'held_out' | 'tuning' | 'examples';

export interface SplitShares {
  /** 0.5 by default. */
  readonly heldOut?: number;
  /** 0.2 by default. The rest is for tuning. */
  readonly examples?: number;
}

/**
 * The split of an item, by the hash of its key: the same for every judge and in every language, and the held-out part is that
 * of the server's calibrations. A larger share only adds items to a part.
 */
export function splitOf(key: string, { heldOut = 0.5, examples = 0.2 }: SplitShares = {}): Split {
  if (!(heldOut >= 0 && examples >= 0 && heldOut + examples <= 1)) {
    throw new StatisticsError(
      `Expected shares of at most 1 together, received ${heldOut} held out and ${examples} examples.`,
    );
  }
  const hash = createHash('sha256').update(key).digest().readUIntBE(0, 6) / 2 ** 48;
  if (hash < heldOut) return 'held_out';
  return hash >= 1 - examples ? 'examples' : 'tuning';
}
