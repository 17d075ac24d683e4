import { type ExactJson, type ExactJsonObject, ExactNumber } from '../../base/exact-json.ts';
import { FAULT_COUNT_MAX } from '../../model/limits.ts';

/** One thing wrong with a request: an item of `detail` in the 422 that public clients read. */
export interface Fault {
  readonly type: string;
  /** `query`, `path` or `body`, then keys and indices down to the place. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** What came; for a missing field the object that should hold it. */
  readonly input: ExactJson;
  readonly ctx?: Readonly<Record<string, ExactJson>>;
}

/** Where faults gather. `loc` is the place being checked now. */
export interface Findings {
  readonly faults: Fault[];
  readonly loc: (string | number)[];
  /** Takes the items of a long list, whose checks then wait until `checkLater` runs them. */
  readonly later?: LaterItems[];
}

/** Items of a list from `next` on, which are checked into `checked`; the list is at `loc`. */
export interface LaterItems {
  readonly list: readonly ExactJson[];
  readonly checked: unknown[];
  readonly check: Check;
  readonly loc: readonly (string | number)[];
}

/**
 * Reads a value as its schema says, with the leniency that clients are used to: `"5"`, `5.0` and `5` are integers,
 * `"yes"` and `1` are true. Returns the typed value; after a fault what it returns means nothing.
 */
export type Check = (value: ExactJson, findings: Findings) => unknown;

/** Notes a fault at the present place; past `FAULT_COUNT_MAX` further ones are dropped. */
export function addFault(
  { faults, loc }: Findings,
  type: string,
  msg: string,
  input: ExactJson,
  ctx?: Fault['ctx'],
): undefined {
  if (faults.length < FAULT_COUNT_MAX) faults.push({ type, loc: [...loc], msg, input, ...(ctx && { ctx }) });
  return undefined;
}

/** Whether as many faults are noted as an answer lists; what comes after need not be checked. */
export const isFull = ({ faults }: Findings): boolean => faults.length >= FAULT_COUNT_MAX;

export const isObject = (value: ExactJson): value is ExactJsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
