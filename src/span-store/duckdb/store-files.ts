// Without DuckDB, which only the store thread loads.

export const DATABASE_FILE = 'spans.duckdb';
export const BACKUP_FILE = 'spans.backup.duckdb';
export const ROW_IDS_FILE = 'spans.row-ids.json';

/** Directory of exported and imported files, the only one that statements can access besides the database. */
export const EXPORTS_DIR = 'exports';

/** A path as SQL text, because ATTACH accepts no parameters. */
export const quotedPath = (path: string): string => `'${path.replaceAll("'", "''")}'`;
