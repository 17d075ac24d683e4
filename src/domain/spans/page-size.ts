import { SPAN_EXPORT_PAGE_CHARS, SPAN_EXPORT_PAGE_ROW_COUNT } from '../../model/limits/datasets.ts';

/** Small pages at first, then as many spans as should have `SPAN_EXPORT_PAGE_CHARS`. */
export class PageSize {
  #rowCount = 64;
  get rowCount(): number {
    return this.#rowCount;
  }
  note(rowCount: number, chars: number): void {
    const fitting = Math.floor((SPAN_EXPORT_PAGE_CHARS * rowCount) / Math.max(1, chars));
    this.#rowCount = Math.max(1, Math.min(fitting, 4 * this.#rowCount, SPAN_EXPORT_PAGE_ROW_COUNT));
  }
}
