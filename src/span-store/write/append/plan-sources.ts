import type { PriceTable } from '../../../model/price-table.ts';
import type { KnownSessions } from '../../cache/known-sessions.ts';
import type { KnownTraces } from '../../cache/known-traces.ts';
import type { NextRowIds } from '../../duckdb/open-database.ts';
import type { Connection } from '../../duckdb/sql.ts';

/** What a plan is computed from. */
export interface PlanSources {
  readonly connection: Connection;
  readonly traces: KnownTraces;
  readonly sessions: KnownSessions;
  readonly nextRowIds: NextRowIds;
  readonly prices: PriceTable;
  /** Row ids of projects by name; a project that does not exist is created. */
  projectIds(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
