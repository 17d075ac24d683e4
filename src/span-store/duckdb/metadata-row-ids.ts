import type { DuckDBConnection } from '@duckdb/node-api';
import type { PricedModel } from '../../model/models/generative-model.ts';
import type { MetadataRowIds } from '../contract/span-store.ts';
import { queryRows } from './sql.ts';

/** Reads the projects and models that stored rows refer to, and the models that provide the prices of spans. */
export async function readMetadataRowIds(connection: DuckDBConnection): Promise<MetadataRowIds> {
  const projects = await queryRows(
    connection,
    `SELECT DISTINCT project_id FROM (
       SELECT project_id FROM store.traces UNION ALL SELECT project_id FROM store.sessions
       UNION ALL SELECT project_id FROM store.annotations) WHERE project_id > 0 ORDER BY project_id`,
  );
  const models = await queryRows(
    connection,
    'SELECT DISTINCT model_id FROM store.cost_details WHERE model_id IS NOT NULL ORDER BY model_id',
  );
  const [[prices] = []] = await queryRows(connection, 'SELECT models FROM store.prices');
  const priced = (JSON.parse(String(prices ?? '[]')) as readonly PricedModel[]).map(({ rowId }) => rowId);
  return {
    projectIds: projects.map(([id]) => Number(id)),
    modelIds: [...new Set([...models.map(([id]) => Number(id)), ...priced])],
  };
}
