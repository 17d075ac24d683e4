import {
  PENDING_ANNOTATION_BYTES_MAX,
  PENDING_ANNOTATION_COUNT_MAX,
  PENDING_ANNOTATION_MS_MAX,
} from '../../../model/limits/reads.ts';
import type { AnnotationKey } from '../../contract/annotations.ts';
import { type AnnotationRow, PENDING_ANNOTATIONS } from '../../duckdb/annotation-rows.ts';
import { selectRows } from '../../duckdb/define-table.ts';
import { type Connection, Parameters, statementsOf } from '../../duckdb/sql.ts';

/** Kind of row that a target's ID identifies. The ID of a document is that of its span. */
export type TargetLevel = 'span' | 'trace' | 'session';

export const targetLevel = ({ target }: Pick<AnnotationRow, 'target'>): TargetLevel =>
  target === 'document' ? 'span' : target;

export interface PendingLimits {
  readonly countMax: number;
  readonly bytesMax: number;
  readonly ageMsMax: number;
}

const LIMITS: PendingLimits = {
  countMax: PENDING_ANNOTATION_COUNT_MAX,
  bytesMax: PENDING_ANNOTATION_BYTES_MAX,
  ageMsMax: PENDING_ANNOTATION_MS_MAX,
};

interface Entry {
  readonly rowId: number;
  readonly level: string;
  readonly key: string;
  readonly bytes: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/**
 * Annotations that wait for a target: the part of `pending_annotations` in memory, with which an append of other spans reads
 * nothing. It changes with the transaction, and is loaded again after a failure.
 */
export class PendingAnnotations {
  readonly #limits: PendingLimits;
  /** Oldest first. */
  readonly #byRowId = new Map<number, Entry>();
  readonly #byLevel = new Map<string, Map<string, Entry>>();
  #bytes = 0;

  constructor(limits: Partial<PendingLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  get isEmpty(): boolean {
    return this.#byRowId.size === 0;
  }

  async load(connection: Connection): Promise<void> {
    this.#byRowId.clear();
    this.#byLevel.clear();
    this.#bytes = 0;
    const rows = await selectRows(
      statementsOf(connection),
      PENDING_ANNOTATIONS,
      'true',
      new Parameters(),
      'ORDER BY position, row_id',
    );
    for (const row of rows) this.#add(row);
  }

  /** Adds an annotation, and replaces a waiting one with the same key, whose row id and creation time it keeps. */
  put(row: AnnotationRow): { readonly row: AnnotationRow; readonly replacedRowId: number | undefined } {
    const previous = this.#byLevel.get(levelKey(targetLevel(row), row.targetId))?.get(keyOf(row));
    if (previous) this.#remove(previous);
    const kept = previous
      ? {
          ...row,
          rowId: previous.rowId,
          createdAtMs: previous.createdAtMs,
          updatedAtMs: Math.max(row.updatedAtMs, previous.createdAtMs),
        }
      : row;
    this.#add(kept);
    return { row: kept, replacedRowId: previous?.rowId };
  }

  has(level: TargetLevel, targetId: string): boolean {
    return this.#byLevel.has(levelKey(level, targetId));
  }

  /** Removes the annotations that wait for a target, and returns their row ids. */
  remove(level: TargetLevel, targetId: string): number[] {
    const entries = this.#byLevel.get(levelKey(level, targetId));
    if (!entries) return [];
    const removed = [...entries.values()];
    for (const entry of removed) this.#remove(entry);
    return removed.map(({ rowId }) => rowId);
  }

  /** Removes expired annotations, and the oldest ones beyond the limits. Returns their row ids. */
  dropExpired(nowMs: number): number[] {
    const { countMax, bytesMax, ageMsMax } = this.#limits;
    const expired: number[] = [];
    for (const entry of this.#byRowId.values()) {
      const isTooMuch = this.#byRowId.size > countMax || this.#bytes > bytesMax;
      if (!isTooMuch && entry.updatedAtMs >= nowMs - ageMsMax) break;
      this.#remove(entry);
      expired.push(entry.rowId);
    }
    return expired;
  }

  #add(row: AnnotationRow): void {
    const level = levelKey(targetLevel(row), row.targetId);
    const { rowId, createdAtMs, updatedAtMs } = row;
    const entry = { rowId, level, key: keyOf(row), bytes: bytesOf(row), createdAtMs, updatedAtMs };
    this.#byRowId.set(rowId, entry);
    let ofLevel = this.#byLevel.get(level);
    if (!ofLevel) {
      ofLevel = new Map();
      this.#byLevel.set(level, ofLevel);
    }
    ofLevel.set(entry.key, entry);
    this.#bytes += entry.bytes;
  }

  #remove(entry: Entry): void {
    this.#byRowId.delete(entry.rowId);
    const ofLevel = this.#byLevel.get(entry.level);
    ofLevel?.delete(entry.key);
    if (ofLevel?.size === 0) this.#byLevel.delete(entry.level);
    this.#bytes -= entry.bytes;
  }
}

const levelKey = (level: TargetLevel, targetId: string): string => `${level} ${targetId}`;

/** Fields that identify an annotation on its target. */
export type KeyParts = Pick<AnnotationRow, 'target'> & Omit<AnnotationKey, 'targetId'>;

export const keyOf = ({ target, documentPosition, name, identifier }: KeyParts): string =>
  JSON.stringify([target, documentPosition, name, identifier]);

/** Approximate size in memory and on disk. */
const ROW_BYTES = 200;
const bytesOf = ({ targetId, name, identifier, label, explanation, metadata }: AnnotationRow): number =>
  [targetId, name, identifier, label, explanation, metadata].reduce(
    (sum, text) => sum + Buffer.byteLength(text ?? ''),
    ROW_BYTES,
  );
