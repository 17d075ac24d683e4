import type { Authored } from './access/author.ts';

/** A field of an example: its name, and the path to its value in a span. With an empty name, the members of the value. */
export interface MappedField {
  readonly name: string;
  readonly path: string;
}

/** Rule that makes the content of an example from a span. A side that is null follows the rule of the contract. */
export interface SpanMapping {
  readonly input: readonly MappedField[] | null;
  readonly output: readonly MappedField[] | null;
  readonly metadata: readonly MappedField[] | null;
}

export const MAPPED_SIDES = ['input', 'output', 'metadata'] as const;

export const DEFAULT_MAPPING: SpanMapping = { input: null, output: null, metadata: null };

/** A filter of spans that is saved for a dataset, with the position of its last use. */
export interface DatasetSource extends Authored {
  readonly rowId: number;
  readonly projectId: number;
  readonly datasetRowId: number;
  /** Unique in the dataset. */
  readonly name: string;
  /** A filter of spans. Blank: all spans of the project. */
  readonly filter: string;
  readonly mapping: SpanMapping;
  /** Splits of the examples that the source adds. */
  readonly splitNames: readonly string[];
  /** Spans with higher row ids have arrived after the last use. */
  readonly lastSpanRowId: number;
  readonly createdAt: Date;
  /** Time when new matches were last added. */
  readonly addedAt: Date | null;
}

export interface NewDatasetSource
  extends Pick<DatasetSource, 'projectId' | 'datasetRowId' | 'name' | 'filter' | 'mapping' | 'splitNames'> {
  readonly lastSpanRowId: number;
}

/** Why an example repeats another: the dataset has the span, or an example with the same content. */
export type Repetition = 'SPAN' | 'CONTENT';

/** Result of adding spans to a dataset. */
export interface AddedSpans {
  readonly datasetRowId: number;
  /** Null when nothing was added. */
  readonly versionRowId: number | null;
  readonly addedCount: number;
  /** Repeated examples by reason. They are left out unless the caller keeps them. */
  readonly repeatedSpanCount: number;
  readonly repeatedContentCount: number;
}
