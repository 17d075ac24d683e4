import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { RowKind as AnyRowKind, RowReader } from '../../span-store/contract/rows.ts';
import type { ProjectAccess } from './project-access.ts';

type RowKind = Exclude<AnyRowKind, 'documents'>;

/**
 * Tells which rows a caller may read. A row that a list of a project has returned is known, so that a page costs no further
 * read. It serves one request: later a row may have moved to another project.
 */
export class VisibleRows {
  readonly #reader: RowReader;
  readonly #access: ProjectAccess;
  readonly #known: Record<RowKind, Set<number>> = emptySets();
  #revision: number;

  constructor(reader: RowReader, access: ProjectAccess) {
    this.#reader = reader;
    this.#access = access;
    this.#revision = access.revision;
  }

  /** Adds rows that a read of a visible project has returned. */
  add(kind: RowKind, rowIds: Iterable<number>): void {
    const known = this.#current(kind);
    for (const rowId of rowIds) known.add(rowId);
    // Long exports read more rows than they look at again.
    if (known.size > KNOWN_ROW_COUNT_MAX) known.clear();
  }

  /** The rows that the caller may read, in the given order. Rows that are not stored are left out unless all are visible. */
  async filter(kind: RowKind, rowIds: readonly number[], options?: ReadOptions): Promise<readonly number[]> {
    if (this.#access.reachesAll) return rowIds;
    const known = this.#current(kind);
    const unknown = rowIds.filter((rowId) => !known.has(rowId));
    if (unknown.length === 0) return rowIds;
    const found = await this.#reader.get({ of: kind, column: 'projects', rowIds: [...new Set(unknown)] }, options);
    const visible = new Set<number>();
    for (const [rowId, projectIds] of found) {
      if (projectIds.every((projectId) => this.#access.canRead(projectId))) visible.add(rowId);
    }
    const shown = rowIds.filter((rowId) => known.has(rowId) || visible.has(rowId));
    this.add(kind, visible);
    return shown;
  }

  async has(kind: RowKind, rowId: number, options?: ReadOptions): Promise<boolean> {
    return (await this.filter(kind, [rowId], options)).length > 0;
  }

  #current(kind: RowKind): Set<number> {
    if (this.#revision !== this.#access.revision) {
      this.#revision = this.#access.revision;
      for (const known of Object.values(this.#known)) known.clear();
    }
    return this.#known[kind];
  }
}

const KNOWN_ROW_COUNT_MAX = 50_000;

const emptySets = (): Record<RowKind, Set<number>> => ({
  spans: new Set(),
  traces: new Set(),
  sessions: new Set(),
  annotations: new Set(),
});
