import type { Authored } from './access/author.ts';

/** A dataset: a named list of examples with versions. */
export interface Dataset extends Authored {
  readonly rowId: number;
  /** Unique name. */
  readonly name: string;
  readonly description: string | null;
  /** JSON object text. */
  readonly metadata: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Number of examples at the latest version; 0 if there is no version. */
  readonly exampleCount: number;
}

/** A version of a dataset. Every change of its examples creates one. Row ids increase with time within a dataset. */
export interface DatasetVersion extends Authored {
  readonly rowId: number;
  readonly datasetRowId: number;
  readonly description: string | null;
  /** JSON object text. */
  readonly metadata: string;
  readonly createdAt: Date;
  readonly exampleCount: number;
}

/** Description of a new version. */
export interface VersionNote {
  readonly description?: string | null;
  /** JSON object text. */
  readonly metadata?: string;
}

/** Content of an example: texts of JSON objects, with numbers as they were received. */
export interface ExampleContent {
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
}

/** An example at one version. */
export interface DatasetExample extends ExampleContent {
  readonly rowId: number;
  /** ID from the caller, unique in the dataset. */
  readonly externalId: string | null;
  /** Row id of the span that it was made from, which may have been deleted. */
  readonly spanRowId: number | null;
  /** Row id of this revision. */
  readonly revisionRowId: number;
  /** Creation time of that revision. */
  readonly updatedAt: Date;
}

/** The fields of an example that have no versions. */
export interface ExampleRow {
  readonly rowId: number;
  readonly datasetRowId: number;
  readonly externalId: string | null;
  readonly spanRowId: number | null;
  readonly createdAt: Date;
}

export const REVISION_KINDS = ['CREATE', 'PATCH', 'DELETE'] as const;

/** The content of an example from one version on. */
export interface ExampleRevision extends ExampleContent {
  readonly rowId: number;
  readonly kind: (typeof REVISION_KINDS)[number];
  readonly createdAt: Date;
}

/** An example with the row id of its revision at a version. */
export interface ExampleAtVersion {
  readonly rowId: number;
  readonly revisionRowId: number;
}

/** Content with its `contentHash`. */
export interface HashedContent extends ExampleContent {
  readonly hash: Buffer;
}

/** A named set of examples across datasets. Membership has no versions. */
export interface DatasetSplit {
  readonly rowId: number;
  /** Unique name. */
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
  /** JSON object text. */
  readonly metadata: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface SplitFields {
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
  /** JSON object text. */
  readonly metadata: string;
}

/** Fields of a new dataset, checked. */
export interface NewDataset {
  readonly name: string;
  readonly description: string | null;
  /** JSON object text. */
  readonly metadata: string;
}

/** Examples of one dataset that enter and leave a split, by row ids. */
export interface SplitMembership {
  readonly datasetRowId: number;
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** Editable fields of a dataset. An absent field keeps its value. */
export interface DatasetChanges {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  /** A JSON object's text. */
  readonly metadata?: string | undefined;
}

export type RowIdOrName = { readonly rowId: number } | { readonly name: string };

/** A label of datasets. */
export interface DatasetLabel {
  readonly rowId: number;
  /** Unique name. */
  readonly name: string;
  readonly description: string | null;
  /** `#rrggbb` in lower case. */
  readonly color: string;
}

export type LabelFields = Omit<DatasetLabel, 'rowId'>;

export const UPLOAD_ACTIONS = ['create', 'append', 'update'] as const;
/**
 * `create` adds a new dataset; `append` adds and updates examples; `update` also removes examples that the upload
 * lacks.
 */
export type UploadAction = (typeof UPLOAD_ACTIONS)[number];

/** An example of an upload. */
export interface NewExample extends HashedContent {
  /** The caller's own ID, or the global ID of a stored example. */
  readonly id: string | null;
  /** Row id of the stored example that `id` names. Absent or null when `id` is the caller's own, or null. */
  readonly exampleRowId?: number | null;
  readonly spanRowId: number | null;
  /** Trimmed, non-empty, distinct names. */
  readonly splits: readonly string[];
  /** Line of the file, for messages. Absent for examples that are from no file. */
  readonly line?: number | undefined;
}

/** Content of an example that an upload adds, changes or deletes. Texts of JSON are cut to a limit. */
export interface SampleContent {
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
}

export interface UploadSample {
  /** ID that a client assigned. */
  readonly externalId: string | null;
  /** Row id of the stored example. Null for a new one. */
  readonly rowId: number | null;
  readonly before: SampleContent | null;
  readonly after: SampleContent | null;
}

/** What an upload does to the examples of a dataset. */
export interface UploadPlan {
  readonly createdCount: number;
  readonly changedCount: number;
  readonly deletedCount: number;
  readonly unchangedCount: number;
  /** The first examples of each kind. */
  readonly created: readonly UploadSample[];
  readonly changed: readonly UploadSample[];
  readonly deleted: readonly UploadSample[];
}

/** Result of an upload. */
export interface UploadResult {
  readonly datasetRowId: number;
  readonly versionRowId: number;
  readonly createdCount: number;
  /** Number of examples whose content or splits changed. */
  readonly updatedCount: number;
  readonly deletedCount: number;
}

/** Color of a split that an upload creates. */
export const UPLOADED_SPLIT_COLOR = '#808080';
