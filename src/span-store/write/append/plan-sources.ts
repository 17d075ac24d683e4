import type { PriceTable } from '../../../model/models/price-table.ts';
import type { KnownSessions } from '../../cache/known-sessions.ts';
import type { KnownTraces } from '../../cache/known-traces.ts';
import type { NextRowIds } from '../../duckdb/position.ts';
import type { Connection } from '../../duckdb/sql.ts';

/** Inputs of a plan. */
export interface PlanSources {
  readonly connection: Connection;
  readonly traces: KnownTraces;
  readonly sessions: KnownSessions;
  readonly nextRowIds: NextRowIds;
  readonly prices: PriceTable;
  /** Row ids of projects by name. Creates missing projects. */
  projectIds(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
