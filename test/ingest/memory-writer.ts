import { readText } from '../../src/columns/read-text.ts';
import type { SpanColumns } from '../../src/columns/span-columns.ts';
import { transferList } from '../../src/columns/transfer-list.ts';
import type { AnnotationRecord } from '../../src/span-store/contract/annotations.ts';
import type { CostChange } from '../../src/span-store/contract/cost-change.ts';
import type { AppendResult, Deletion, SpanWriter, Transfer } from '../../src/span-store/contract/writer.ts';

/** A writer of a span store that keeps the names of spans in memory and obeys the contract. */
export class MemoryWriter implements SpanWriter {
  /** Names of the stored spans by trace and span ID, in the order of arrival. */
  readonly spans = new Map<string, string>();
  readonly projects = new Map<string, string>();
  readonly deletions: Deletion[] = [];
  readonly transfers: Transfer[] = [];
  readonly costChanges: CostChange[] = [];
  readonly annotations: AnnotationRecord[] = [];
  /** Rows of each batch. */
  readonly batches: number[] = [];
  /** Called with the data to write. It may wait, and may throw to fail before or (`after`) the write. */
  onCall: (call: 'append' | 'delete' | 'advance', moment: 'before' | 'after') => void | Promise<void> = () => {};
  #position = 0;
  #checkpoint = { position: 0, spans: new Map<string, string>() };
  #running = 0;

  get isIdle(): boolean {
    return this.#running === 0;
  }

  get names(): string[] {
    return [...this.spans.values()];
  }

  appliedPosition(): Promise<number> {
    return Promise.resolve(this.#position);
  }

  checkpointedPosition(): Promise<number> {
    return Promise.resolve(this.#checkpoint.position);
  }

  checkpoint(): void {
    this.#checkpoint = { position: this.#position, spans: new Map(this.spans) };
  }

  /** Returns to the checkpoint, like a store whose process ended. */
  crash(): void {
    this.#position = this.#checkpoint.position;
    this.spans.clear();
    for (const [id, name] of this.#checkpoint.spans) this.spans.set(id, name);
  }

  async append(
    batch: SpanColumns,
    position: number,
    annotations: readonly AnnotationRecord[] = [],
  ): Promise<AppendResult> {
    const columns = structuredClone(batch, { transfer: transferList(batch) });
    let appendedCount = 0;
    let differingCount = 0;
    await this.#write('append', position, () => {
      if (columns.rowCount > 0) this.batches.push(columns.rowCount);
      this.annotations.push(...annotations);
      for (let row = 0; row < columns.rowCount; row++) {
        const id = `${columns.traceIdHigh[row]}:${columns.traceIdLow[row]}:${columns.spanId[row]}`;
        const name = readText(columns.name, row);
        if (this.spans.has(id)) {
          if (this.spans.get(id) !== name) differingCount++;
          continue;
        }
        this.spans.set(id, name);
        this.projects.set(id, columns.projectNames[columns.projectIndex[row]!] ?? '');
        appendedCount++;
      }
    });
    return {
      appendedCount,
      duplicateCount: columns.rowCount - appendedCount,
      differingCount,
      droppedAnnotationCount: 0,
    };
  }

  delete(deletion: Deletion, position: number): Promise<void> {
    return this.#write('delete', position, () => this.deletions.push(deletion));
  }

  transfer(transfer: Transfer, position: number): Promise<void> {
    return this.#write('delete', position, () => this.transfers.push(transfer));
  }

  changeCosts(change: CostChange, position: number): Promise<void> {
    return this.#write('advance', position, () => void this.costChanges.push(change));
  }

  advance(position: number): Promise<void> {
    return this.#write('advance', position, () => {});
  }

  async #write(call: 'append' | 'delete' | 'advance', position: number, apply: () => void): Promise<void> {
    if (this.#running++ > 0) throw new Error('two writes at a time');
    try {
      await this.onCall(call, 'before');
      if (position > this.#position) {
        apply();
        this.#position = position;
      }
      await this.onCall(call, 'after');
    } finally {
      this.#running--;
    }
  }
}
