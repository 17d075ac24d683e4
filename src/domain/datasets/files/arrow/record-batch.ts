import { DATASET_ARROW_BATCH_ROW_COUNT_MAX } from '../../../../model/limits/datasets.ts';
import { uploadInvalid } from '../../upload-invalid.ts';
import { damaged } from './damaged.ts';
import { countAt, type FlatTable, type FlatVector } from './flat-table.ts';

/**
 * The parts of a record batch, in the order in which its columns use them: the description of each field, and the
 * buffers with its values.
 */
export class RecordBatch {
  readonly rowCount: number;
  readonly #head: FlatTable;
  readonly #body: Uint8Array;
  readonly #nodes: FlatVector;
  readonly #buffers: FlatVector;
  #nodeIndex = 0;
  #bufferIndex = 0;

  /** @throws {SpandrelError} for unsupported content; {RangeError} beyond the bytes */
  constructor(head: FlatTable, body: Uint8Array) {
    this.#head = head;
    this.#body = body;
    this.rowCount = head.count(0);
    if (this.rowCount > DATASET_ARROW_BATCH_ROW_COUNT_MAX) {
      throw uploadInvalid(
        `A record batch of the Arrow stream has ${this.rowCount} rows; the maximum is ${DATASET_ARROW_BATCH_ROW_COUNT_MAX}`,
      );
    }
    this.#nodes = head.vector(1, 16);
    this.#buffers = head.vector(2, 16);
    if (head.table(3)) throw uploadInvalid('The batches of the Arrow stream are compressed: compress the file instead');
  }

  /** Length of the next field, and the number of nulls in it. */
  nextNode(): { length: number; nullCount: number } {
    if (this.#nodeIndex >= this.#nodes.count) throw damaged('a record batch has fewer columns than its schema');
    const place = this.#nodes.start + 16 * this.#nodeIndex++;
    return { length: countAt(this.#head.view, place), nullCount: countAt(this.#head.view, place + 8) };
  }

  /** @throws {SpandrelError} when it has fewer bytes than its values need */
  nextBuffer(name: string, neededBytes: number): DataView {
    if (this.#bufferIndex >= this.#buffers.count) throw damaged('a record batch has fewer buffers than its schema');
    const place = this.#buffers.start + 16 * this.#bufferIndex++;
    const offset = countAt(this.#head.view, place);
    const length = countAt(this.#head.view, place + 8);
    if (offset + length > this.#body.byteLength) {
      throw damaged(`column '${name}' ends at byte ${offset + length} of a batch with ${this.#body.byteLength}`);
    }
    if (length < neededBytes) throw damaged(`column '${name}' has ${length} bytes and needs ${neededBytes}`);
    return new DataView(this.#body.buffer, this.#body.byteOffset + offset, length);
  }

  /** Called after all columns. */
  end(): void {
    if (this.#nodeIndex < this.#nodes.count || this.#bufferIndex < this.#buffers.count) {
      throw damaged('a record batch has more columns than its schema');
    }
  }
}
