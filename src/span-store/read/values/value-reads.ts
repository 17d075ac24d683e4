import type { ValueReader } from '../../contract/value-aggregates.ts';
import type { ReadsOf } from '../read-context.ts';
import { aggregateByValue } from './aggregate-by-value.ts';

/** Implementations of `ValueReader`. */
export const VALUE_READS: ReadsOf<ValueReader> = { aggregateByValue };
