import { buildPostgresUrl } from './postgres-url.ts';
import type { SettingValues } from './settings.ts';

/** URL of the external database, given as a whole or in parts. Undefined: the embedded Postgres. */
export function databaseUrlOf(values: SettingValues): string | undefined {
  const { POSTGRES_HOST: host, POSTGRES_USER: user } = values;
  if (values.SQL_DATABASE_URL !== undefined || host === undefined || user === undefined) return values.SQL_DATABASE_URL;
  return buildPostgresUrl({
    host,
    user,
    port: values.POSTGRES_PORT,
    password: values.POSTGRES_PASSWORD,
    database: values.POSTGRES_DB,
  });
}
