import type { DatasetVersion, ExampleContent, HashedContent } from './dataset.ts';

export const EXAMPLE_FIELDS = ['input', 'output', 'metadata'] as const;
export type ExampleField = (typeof EXAMPLE_FIELDS)[number];

/** A value in an example: a field, then keys of objects or indexes of lists. */
export interface CellPath {
  readonly field: ExampleField;
  readonly keys: readonly string[];
}

export const EXAMPLE_SORTS = ['example', 'externalId', 'updatedAt'] as const;

/** Examples of a version and their order. */
export interface ExampleListing {
  readonly datasetRowId: number;
  /** A version of that dataset. */
  readonly versionRowId: number;
  /** Only examples that are currently in one of these splits. */
  readonly splitRowIds?: readonly number[] | undefined;
  /** Part of the text of input, output or metadata. Case is ignored. */
  readonly textContains?: string | undefined;
  /** Default: `example`, the order in which they were added. */
  readonly sort?: ExampleSort | undefined;
}

/** Examples without the value come last in both directions. */
export interface ExampleSort {
  /** Values at a path: numbers by size, then texts and other values by their text. */
  readonly by: (typeof EXAMPLE_SORTS)[number] | CellPath;
  readonly isDescending: boolean;
}

/** The beginning of an example's content, for a table. */
export interface ExampleExcerpt extends ExampleContent {
  readonly rowId: number;
  readonly externalId: string | null;
  readonly spanRowId: number | null;
  readonly revisionRowId: number;
  readonly updatedAt: Date;
}

/** Content that replaces that of an example, and the revision on which it is based. */
export interface ExamplePatchAt {
  readonly rowId: number;
  /** Undefined: replaces any content. */
  readonly revisionRowId: number | undefined;
}

/** The current state of an example that another user has changed. */
export interface ExampleConflict {
  readonly rowId: number;
  /** Undefined if it was deleted. */
  readonly content: (ExampleContent & { readonly revisionRowId: number; readonly updatedAt: Date }) | undefined;
  /** Version of the other change. */
  readonly versionRowId: number;
}

/** Result of saving examples. With conflicts, nothing was written. */
export type SavedExamples =
  | { readonly conflicts: readonly ExampleConflict[] }
  | { readonly conflicts: readonly []; readonly versionRowId: number };

export type Revise = (exampleRowId: number, content: ExampleContent) => HashedContent;

export const EXAMPLE_CHANGE_KINDS = ['added', 'changed', 'removed'] as const;
export type ExampleChangeKind = (typeof EXAMPLE_CHANGE_KINDS)[number];

/** An example that two versions do not have in common. */
export interface ChangedExample {
  readonly rowId: number;
  readonly externalId: string | null;
  readonly kind: ExampleChangeKind;
  /** Fields whose texts differ. */
  readonly fields: readonly ExampleField[];
}

/** Two versions of one dataset. */
export interface VersionPair {
  readonly base: Pick<DatasetVersion, 'rowId' | 'datasetRowId' | 'exampleCount'>;
  readonly version: Pick<DatasetVersion, 'rowId' | 'exampleCount'>;
}
