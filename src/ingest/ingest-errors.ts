import { INGEST_ERROR_COUNT_MAX } from '../model/limits/ingest.ts';
import type { IngestError } from './ingest.ts';

/** The latest rejections. A new one evicts the oldest. */
export class IngestErrors {
  readonly #ring: IngestError[] = [];
  readonly #countMax: number;
  #next = 0;

  constructor(countMax = INGEST_ERROR_COUNT_MAX) {
    this.#countMax = countMax;
  }

  add(error: IngestError): void {
    this.#ring[this.#next] = error;
    this.#next = (this.#next + 1) % this.#countMax;
  }

  /** Rejections, the newest first. */
  latest(): IngestError[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)].reverse();
  }
}
