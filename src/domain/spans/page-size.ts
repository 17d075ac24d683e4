import {
  SPAN_EXPORT_PAGE_CHARS,
  SPAN_EXPORT_PAGE_ROW_COUNT,
  SPAN_SCATTERED_PAGE_CHARS,
} from '../../model/limits/datasets.ts';
import { SPAN_COLUMNS_ROW_COUNT_MAX } from '../../model/limits/reads.ts';

/** Small pages at first, then as many spans as should have `SPAN_EXPORT_PAGE_CHARS`. */
export class PageSize {
  readonly #rowCountMax: number;
  #rowCount = 64;
  constructor(rowCountMax = SPAN_EXPORT_PAGE_ROW_COUNT) {
    this.#rowCountMax = rowCountMax;
  }
  get rowCount(): number {
    return this.#rowCount;
  }
  /** @param isScattered The next page may be larger, because it reads most of the store however many rows it has. */
  note(rowCount: number, chars: number, isScattered = false): void {
    if (rowCount === 0) return;
    const charsMax = isScattered ? SPAN_SCATTERED_PAGE_CHARS : SPAN_EXPORT_PAGE_CHARS;
    const rowCountMax = isScattered ? SPAN_COLUMNS_ROW_COUNT_MAX : this.#rowCountMax;
    const fitting = Math.floor((charsMax * rowCount) / Math.max(1, chars));
    this.#rowCount = Math.max(1, Math.min(fitting, 4 * this.#rowCount, rowCountMax));
  }
}
