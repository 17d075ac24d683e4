import { bindToPorts } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { getRecomputation, recomputeCosts } from './recompute-costs.ts';

export const createCostOperations = (ports: Pick<Ports, 'projects' | 'recomputations'>) =>
  bindToPorts(ports, { recompute: recomputeCosts, getRecomputation });

export type CostOperations = ReturnType<typeof createCostOperations>;
