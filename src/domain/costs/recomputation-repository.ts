import type { CostRecomputation } from '../../model/models/cost-recomputation.ts';

/** Requests to recompute costs. A new one starts without a further call. */
export interface RecomputationRepository {
  create(projectId: number | null): Promise<CostRecomputation>;
  find(rowId: number): Promise<CostRecomputation | undefined>;
  /** Number of requests that have not ended. */
  countOpen(): Promise<number>;
}
