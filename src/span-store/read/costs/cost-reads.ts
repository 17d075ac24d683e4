import type { CostReader } from '../../contract/costs.ts';
import type { ReadsOf } from '../read-context.ts';
import { listTraceCosts } from './list-trace-costs.ts';

/** Implementations of `CostReader`. */
export const COST_READS: ReadsOf<CostReader> = {
  listTraceCosts,
};
