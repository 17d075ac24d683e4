import type { ValueReader } from '../../contract/value-aggregates.ts';
import type { ReadsOf } from '../read-context.ts';
import { sumUpSpansByValue } from './sum-up-by-value.ts';

/** Implementations of `ValueReader`. */
export const VALUE_READS: ReadsOf<ValueReader> = { sumUpSpansByValue };
