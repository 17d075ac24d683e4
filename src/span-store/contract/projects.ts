import type { ReadOptions } from './read-options.ts';

export interface ProjectsOfRowsQuery {
  readonly of: 'spans' | 'traces' | 'sessions' | 'annotations';
  readonly rowIds: readonly number[];
}

/** Reads that decide which rows a caller may see. `SpanStoreReader` states what all reads have in common. */
export interface ProjectReader {
  /**
   * Row ids of the projects of these rows, each once. A session has its own project and those of its traces, because its
   * traces may be in other projects. Rows that are not stored are absent.
   */
  findProjectsOfRows(query: ProjectsOfRowsQuery, options?: ReadOptions): Promise<Map<number, number[]>>;
}
