import { REJECTED_ROW_COUNT_MAX, REJECTED_TEXT_CHARS_MAX } from '../../../model/limits/datasets.ts';

/** A row of a file that is no example. */
export interface RejectedRow {
  /** Line on which the row starts, from 1. For Parquet, the number of the row. */
  readonly line: number;
  readonly reason: string;
  /** The row as in the file, up to a limit. */
  readonly text: string;
}

/** Collects the rows of a file that are rejected. All are counted; the first are kept. */
export class RejectedRows {
  readonly rows: RejectedRow[] = [];
  count = 0;
  #chars = 0;

  add(line: number, reason: string, text: string): void {
    this.count++;
    if (this.rows.length >= REJECTED_ROW_COUNT_MAX) return;
    const shown = text.slice(0, Math.max(0, REJECTED_TEXT_CHARS_MAX - this.#chars));
    this.#chars += shown.length;
    this.rows.push({ line, reason, text: shown });
  }
}
