import assert from 'node:assert/strict';
import { endianness } from 'node:os';
import type { SpanColumns, TextIds } from './span-columns.ts';
import { mapTextAttributes, type TextAttributeField } from './text-attributes.ts';
import { NullableTextColumnBuilder, TextColumnBuilder } from './text-column-builder.ts';

// 64-bit values are written as two 32-bit words, low word first, because creating BigInts is slower.
assert.equal(endianness(), 'LE', 'the span columns are written on little-endian machines only');

const ROWS_MIN = 64;

/** A state that `reset` restores. */
export interface SpanColumnsMark {
  readonly rowCount: number;
  readonly projectCount: number;
}

/**
 * Growable span columns. Many requests are decoded into one builder: the fields of row `rowCount` are set one by one,
 * then `endRow` completes it. `reset` removes the rows since a `mark`. Fields that are not set are zero, empty or null.
 */
export class SpanColumnsBuilder {
  rowCount = 0;
  private rowCapacity: number;

  /** 64-bit columns as pairs of words: row `i` is `[2 * i]` (low) and `[2 * i + 1]` (high). */
  traceIdHigh: Uint32Array<ArrayBuffer>;
  traceIdLow: Uint32Array<ArrayBuffer>;
  spanId: Uint32Array<ArrayBuffer>;
  parentSpanId: Uint32Array<ArrayBuffer>;
  startTimeUnixNano: Uint32Array<ArrayBuffer>;
  endTimeUnixNano: Uint32Array<ArrayBuffer>;
  tokensPrompt: Uint32Array<ArrayBuffer>;
  tokensCompletion: Uint32Array<ArrayBuffer>;

  hasParent: Uint8Array<ArrayBuffer>;
  spanKind: Uint8Array<ArrayBuffer>;
  statusCode: Uint8Array<ArrayBuffer>;
  hasTokens: Uint8Array<ArrayBuffer>;
  projectIndex: Uint32Array<ArrayBuffer>;

  readonly name: TextColumnBuilder;
  readonly statusMessage: TextColumnBuilder;
  readonly attributes: TextColumnBuilder;
  readonly longAttributes: NullableTextColumnBuilder;
  readonly metadata: NullableTextColumnBuilder;
  readonly inputValue: NullableTextColumnBuilder;
  readonly outputValue: NullableTextColumnBuilder;
  readonly events: NullableTextColumnBuilder;
  readonly textAttributes: Readonly<Record<TextAttributeField, NullableTextColumnBuilder>>;

  private readonly textColumns: readonly TextColumnBuilder[];
  private readonly textIds = new Map<number, TextIds>();
  private readonly projectNames: string[] = [];
  private readonly projectIndexByName = new Map<string, number>();

  constructor(rowCapacity = ROWS_MIN) {
    const capacity = Math.max(ROWS_MIN, rowCapacity);
    this.rowCapacity = capacity;
    const words = () => new Uint32Array(2 * capacity);
    const bytes = () => new Uint8Array(capacity);
    const text = () => new TextColumnBuilder(capacity);
    const nullableText = () => new NullableTextColumnBuilder(capacity);
    this.traceIdHigh = words();
    this.traceIdLow = words();
    this.spanId = words();
    this.parentSpanId = words();
    this.startTimeUnixNano = words();
    this.endTimeUnixNano = words();
    this.tokensPrompt = words();
    this.tokensCompletion = words();
    this.hasParent = bytes();
    this.spanKind = bytes();
    this.statusCode = bytes();
    this.hasTokens = bytes();
    this.projectIndex = new Uint32Array(capacity);
    this.name = text();
    this.statusMessage = text();
    this.attributes = text();
    this.longAttributes = nullableText();
    this.metadata = nullableText();
    this.inputValue = nullableText();
    this.outputValue = nullableText();
    this.events = nullableText();
    this.textAttributes = mapTextAttributes(nullableText);
    this.textColumns = [
      this.name,
      this.statusMessage,
      this.attributes,
      this.longAttributes,
      this.metadata,
      this.inputValue,
      this.outputValue,
      this.events,
      ...Object.values(this.textAttributes),
    ];
  }

  /** Total bytes of text. Determines when a batch is full. */
  get textBytes(): number {
    let sum = 0;
    for (const column of this.textColumns) sum += column.length;
    return sum;
  }

  /** Index of this project in `projectNames`. */
  projectIndexOf(name: string): number {
    let index = this.projectIndexByName.get(name);
    if (index === undefined) {
      index = this.projectNames.push(name) - 1;
      this.projectIndexByName.set(name, index);
    }
    return index;
  }

  /** Reserves memory for row `rowCount`. Call it before setting fields. */
  beginRow(): void {
    if (this.rowCount === this.rowCapacity) this.growRows();
  }

  setTextIds(ids: TextIds): void {
    this.textIds.set(this.rowCount, ids);
  }

  /** Completes row `rowCount`. */
  endRow(): void {
    for (const column of this.textColumns) column.endRow(this.rowCount);
    this.rowCount++;
  }

  mark(): SpanColumnsMark {
    return { rowCount: this.rowCount, projectCount: this.projectNames.length };
  }

  /** Removes the rows since the mark, including an unfinished one, and the projects that only they name. */
  reset({ rowCount, projectCount }: SpanColumnsMark): void {
    for (const column of this.textColumns) column.reset(rowCount);
    for (const row of this.textIds.keys()) if (row >= rowCount) this.textIds.delete(row);
    for (const name of this.projectNames.splice(projectCount)) this.projectIndexByName.delete(name);
    for (const words of [this.parentSpanId, this.tokensPrompt, this.tokensCompletion]) words.fill(0, 2 * rowCount);
    for (const bytes of [this.hasParent, this.spanKind, this.statusCode, this.hasTokens]) bytes.fill(0, rowCount);
    this.rowCount = rowCount;
  }

  /** Returns the columns. They use the builder's buffers, so the builder must not be used afterwards. */
  finish(): SpanColumns {
    const n = this.rowCount;
    const unsigned = (words: Uint32Array<ArrayBuffer>) => new BigUint64Array(words.buffer, 0, n);
    const signed = (words: Uint32Array<ArrayBuffer>) => new BigInt64Array(words.buffer, 0, n);
    return {
      rowCount: n,
      traceIdHigh: unsigned(this.traceIdHigh),
      traceIdLow: unsigned(this.traceIdLow),
      spanId: unsigned(this.spanId),
      parentSpanId: unsigned(this.parentSpanId),
      hasParent: this.hasParent.subarray(0, n),
      textIds: this.textIds,
      projectIndex: this.projectIndex.subarray(0, n),
      projectNames: this.projectNames,
      startTimeUnixNano: signed(this.startTimeUnixNano),
      endTimeUnixNano: signed(this.endTimeUnixNano),
      name: this.name.finish(n),
      spanKind: this.spanKind.subarray(0, n),
      statusCode: this.statusCode.subarray(0, n),
      statusMessage: this.statusMessage.finish(n),
      attributes: this.attributes.finish(n),
      longAttributes: this.longAttributes.finish(n),
      metadata: this.metadata.finish(n),
      inputValue: this.inputValue.finish(n),
      outputValue: this.outputValue.finish(n),
      tokensPrompt: signed(this.tokensPrompt),
      tokensCompletion: signed(this.tokensCompletion),
      hasTokens: this.hasTokens.subarray(0, n),
      events: this.events.finish(n),
      ...mapTextAttributes(({ field }) => this.textAttributes[field].finish(n)),
    };
  }

  private growRows(): void {
    const capacity = 2 * this.rowCapacity;
    const growWords = (words: Uint32Array<ArrayBuffer>) => grown(new Uint32Array(2 * capacity), words);
    const growBytes = (bytes: Uint8Array<ArrayBuffer>) => grown(new Uint8Array(capacity), bytes);
    this.traceIdHigh = growWords(this.traceIdHigh);
    this.traceIdLow = growWords(this.traceIdLow);
    this.spanId = growWords(this.spanId);
    this.parentSpanId = growWords(this.parentSpanId);
    this.startTimeUnixNano = growWords(this.startTimeUnixNano);
    this.endTimeUnixNano = growWords(this.endTimeUnixNano);
    this.tokensPrompt = growWords(this.tokensPrompt);
    this.tokensCompletion = growWords(this.tokensCompletion);
    this.hasParent = growBytes(this.hasParent);
    this.spanKind = growBytes(this.spanKind);
    this.statusCode = growBytes(this.statusCode);
    this.hasTokens = growBytes(this.hasTokens);
    this.projectIndex = grown(new Uint32Array(capacity), this.projectIndex);
    for (const column of this.textColumns) column.growRows(capacity);
    this.rowCapacity = capacity;
  }
}

function grown<Column extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  larger: Column,
  column: Column,
): Column {
  larger.set(column);
  return larger;
}
