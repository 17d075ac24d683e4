import { type ExactJson, type ExactJsonObject, ExactNumber } from '../../base/exact-json.ts';
import { VALIDATION_ISSUE_COUNT_MAX } from '../../model/limits/reads.ts';

/** One problem of a request: an item of `detail` in the 422 that public clients read. */
export interface ValidationIssue {
  readonly type: string;
  /** `query`, `path` or `body`, then the keys and indices that lead to the value. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** The received value. For a missing field, the object that lacks it. */
  readonly input: ExactJson;
  readonly ctx?: Readonly<Record<string, ExactJson>>;
}

/** State of the validation of one request. `loc` leads to the value that is being checked. */
export interface ValidationContext {
  readonly issues: ValidationIssue[];
  readonly loc: (string | number)[];
  /** Collects long lists, whose items are checked by `checkLater`. */
  readonly later?: LaterItems[];
}

/** A long list at `loc`. Its checked items are appended to `checked`. */
export interface LaterItems {
  readonly list: readonly ExactJson[];
  readonly checked: unknown[];
  readonly check: Check;
  readonly loc: readonly (string | number)[];
}

/**
 * Reads a value by its schema, as leniently as clients expect: `"5"`, `5.0` and `5` are integers, `"yes"` and `1` are
 * true. Returns the typed value. After an issue the returned value has no meaning.
 */
export type Check = (value: ExactJson, context: ValidationContext) => unknown;

/** Records an issue at the current location. Issues beyond `VALIDATION_ISSUE_COUNT_MAX` are dropped. */
export function addIssue(
  { issues, loc }: ValidationContext,
  type: string,
  msg: string,
  input: ExactJson,
  ctx?: ValidationIssue['ctx'],
): undefined {
  if (issues.length < VALIDATION_ISSUE_COUNT_MAX) issues.push({ type, loc: [...loc], msg, input, ...(ctx && { ctx }) });
  return undefined;
}

/** Whether a response cannot list further issues, so that further values need not be checked. */
export const isFull = ({ issues }: ValidationContext): boolean => issues.length >= VALIDATION_ISSUE_COUNT_MAX;

export const isObject = (value: ExactJson): value is ExactJsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
