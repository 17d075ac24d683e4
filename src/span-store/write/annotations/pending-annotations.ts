import {
  PENDING_ANNOTATION_BYTES_MAX,
  PENDING_ANNOTATION_COUNT_MAX,
  PENDING_ANNOTATION_MS_MAX,
} from '../../../model/limits.ts';
import type { AnnotationKey } from '../../contract/annotations.ts';
import type { AnnotationRow } from '../../duckdb/annotation-rows.ts';
import { PENDING_ANNOTATIONS } from '../../duckdb/annotation-rows.ts';
import { selectRows } from '../../duckdb/define-table.ts';
import type { Connection } from '../../duckdb/sql.ts';
import { Parameters, statementsOf } from '../../duckdb/sql.ts';

/** Where the id of a target is looked up: a document's is its span's. */
export type TargetPlace = 'span' | 'trace' | 'session';

export const placeOf = ({ target }: Pick<AnnotationRow, 'target'>): TargetPlace =>
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
  readonly place: string;
  readonly key: string;
  readonly bytes: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/**
 * Which annotations wait for a target: what of `pending_annotations` is in memory, so that an append of spans for which
 * nothing waits reads nothing. It changes with the transaction, and is read again when that fails.
 */
export class PendingAnnotations {
  readonly #limits: PendingLimits;
  /** Oldest first. */
  readonly #byRowId = new Map<number, Entry>();
  readonly #byPlace = new Map<string, Map<string, Entry>>();
  #bytes = 0;

  constructor(limits: Partial<PendingLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  get isEmpty(): boolean {
    return this.#byRowId.size === 0;
  }

  async load(connection: Connection): Promise<void> {
    this.#byRowId.clear();
    this.#byPlace.clear();
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

  /** Adds an annotation, in place of one that waits with the same key; gives it with the row id and time of that one. */
  put(row: AnnotationRow): { readonly row: AnnotationRow; readonly replacedRowId: number | undefined } {
    const former = this.#byPlace.get(placeKey(placeOf(row), row.targetId))?.get(keyOf(row));
    if (former) this.#remove(former);
    const kept = former
      ? {
          ...row,
          rowId: former.rowId,
          createdAtMs: former.createdAtMs,
          updatedAtMs: Math.max(row.updatedAtMs, former.createdAtMs),
        }
      : row;
    this.#add(kept);
    return { row: kept, replacedRowId: former?.rowId };
  }

  has(place: TargetPlace, targetId: string): boolean {
    return this.#byPlace.has(placeKey(place, targetId));
  }

  /** Takes off those that wait for one of these targets; returns their row ids. */
  takeOff(place: TargetPlace, targetId: string): number[] {
    const entries = this.#byPlace.get(placeKey(place, targetId));
    if (!entries) return [];
    const taken = [...entries.values()];
    for (const entry of taken) this.#remove(entry);
    return taken.map(({ rowId }) => rowId);
  }

  /** Takes off what has waited too long, and the oldest where too much waits; returns their row ids. */
  giveUp(nowMs: number): number[] {
    const { countMax, bytesMax, ageMsMax } = this.#limits;
    const given: number[] = [];
    for (const entry of this.#byRowId.values()) {
      const isTooMuch = this.#byRowId.size > countMax || this.#bytes > bytesMax;
      if (!isTooMuch && entry.updatedAtMs >= nowMs - ageMsMax) break;
      this.#remove(entry);
      given.push(entry.rowId);
    }
    return given;
  }

  #add(row: AnnotationRow): void {
    const place = placeKey(placeOf(row), row.targetId);
    const { rowId, createdAtMs, updatedAtMs } = row;
    const entry = { rowId, place, key: keyOf(row), bytes: bytesOf(row), createdAtMs, updatedAtMs };
    this.#byRowId.set(rowId, entry);
    let ofPlace = this.#byPlace.get(place);
    if (!ofPlace) {
      ofPlace = new Map();
      this.#byPlace.set(place, ofPlace);
    }
    ofPlace.set(entry.key, entry);
    this.#bytes += entry.bytes;
  }

  #remove(entry: Entry): void {
    this.#byRowId.delete(entry.rowId);
    const ofPlace = this.#byPlace.get(entry.place);
    ofPlace?.delete(entry.key);
    if (ofPlace?.size === 0) this.#byPlace.delete(entry.place);
    this.#bytes -= entry.bytes;
  }
}

const placeKey = (place: TargetPlace, targetId: string): string => `${place} ${targetId}`;

/** What an annotation is one by, on its target. */
export type KeyParts = Pick<AnnotationRow, 'target'> & Omit<AnnotationKey, 'targetId'>;

export const keyOf = ({ target, documentPosition, name, identifier }: KeyParts): string =>
  JSON.stringify([target, documentPosition, name, identifier]);

/** About what it takes in memory and on disk. */
const ROW_BYTES = 200;
const bytesOf = ({ targetId, name, identifier, label, explanation, metadata }: AnnotationRow): number =>
  [targetId, name, identifier, label, explanation, metadata].reduce(
    (sum, text) => sum + Buffer.byteLength(text ?? ''),
    ROW_BYTES,
  );
