import type { ProjectScope } from '../../model/projects/project-member.ts';

/** Changeset of a commit. If a list of traces or sessions is absent, any of those in the projects may have changed. */
export interface StoreChange {
  readonly projectIds: readonly number[];
  /** Row ids of traces that have new spans or annotations. */
  readonly traceRowIds?: ReadonlySet<number> | undefined;
  /** Row ids of sessions with such a trace, or with new annotations of their own. */
  readonly sessionRowIds?: ReadonlySet<number> | undefined;
}

/** Changes of the store. `SpanStoreReader` states what all reads have in common. */
export interface ChangeReader {
  /**
   * Calls the listener after each commit that stored, deleted or moved spans or annotations. An undefined changeset
   * means that everything may have changed. Returns a function that unsubscribes the listener.
   */
  onChange(listener: (change: StoreChange | undefined) => void): () => void;
  /**
   * Time of the last change of this project, of any in the scope, or of any. Undefined without a change since the process started. A
   * deletion counts as a change of every project. In ms since the epoch.
   */
  lastChangedAt(project?: number | ProjectScope): Promise<number | undefined>;
}
