// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each row.
import type { ExactJsonObject } from '../../../base/exact-json.ts';
import { SPAN_KINDS } from '../../../semconv/span-kinds.ts';
import { SPAN_TABLE_CELL_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { NullableTextColumn, TextColumn } from '../../../columns/span-columns.ts';
import { TEXT_ATTRIBUTES } from '../../../columns/text-attributes.ts';
import type { WholeSpanColumns } from '../../../span-store/contract/spans.ts';
import { type FlatName, NameFlattener } from './flat-names.ts';
import {
  appendText,
  JsonValueWriter,
  Members,
  NOT_PLAIN,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  skipWord,
} from './json-cells.ts';
import { CELL_JSON, CELL_NUMBER, CELL_TEXT, type PackedColumn, PackedColumnBuilder } from './packed-column.ts';
import { attributesAt } from './read-queried-spans.ts';
import { tooManyColumns } from './span-table.ts';

const KIND_TEXTS = SPAN_KINDS.map((kind) => (kind === 'UNKNOWN' ? undefined : Buffer.from(kind)));

/**
 * Columns of the attributes of spans. The cells are copied from the stored texts without parsing them, as long as the texts are
 * plain and have no attribute that is new. Another span is parsed, which also adds its columns in the order of its attributes.
 */
export class AttributeCells {
  readonly #rowCapacity: number;
  readonly #names = new NameFlattener();
  readonly #writer = new JsonValueWriter(this.#names.root);
  readonly #columns = new Map<string, PackedColumnBuilder>();
  readonly #columnOfName = new Map<FlatName, PackedColumnBuilder>();
  readonly #kind = this.#nameOf('openinference.span.kind');
  readonly #metadata = this.#nameOf('metadata');
  /** Attributes with a column of their own in the store. */
  readonly #promoted = [
    { name: this.#nameOf('input.value'), field: 'input' },
    { name: this.#nameOf('output.value'), field: 'output' },
    ...TEXT_ATTRIBUTES.map(({ key, field }) => ({ name: this.#nameOf(key), field })),
  ] as const;
  /** Columns that have a cell of the row that is being added. */
  readonly #touched: PackedColumnBuilder[] = [];
  #row = 0;

  constructor(rowCapacity: number) {
    this.#rowCapacity = rowCapacity;
  }

  #nameOf(key: string): FlatName {
    return key.split('.').reduce((name, segment) => name.child(segment), this.#names.root);
  }

  /** Adds the next row: that of the span at `at`. */
  add(spans: WholeSpanColumns, at: number): void {
    try {
      this.#copy(spans, at);
    } catch (error) {
      if (error !== NOT_PLAIN) throw error;
      for (const column of this.#touched) column.clear();
      this.#parse(spans, at);
    }
    this.#touched.length = 0;
    this.#row++;
  }

  /** @throws {SpandrelError} `QUERY_INVALID` when too many columns have few values each */
  finish(): PackedColumn[] {
    if (this.#columns.size * this.#row > SPAN_TABLE_CELL_COUNT_MAX) throw tooManyColumns(this.#columns.size);
    return Array.from(this.#columns.values(), (column) => column.finish(this.#row));
  }

  #parse(spans: WholeSpanColumns, at: number): void {
    const attributes: ExactJsonObject = attributesAt(spans, at);
    this.#names.flatten(attributes, ({ column: name }, value) => {
      let column = this.#columns.get(name);
      if (!column) {
        column = new PackedColumnBuilder(name, this.#rowCapacity);
        this.#columns.set(name, column);
        // A table that would be rejected at the end anyway must not take memory until then.
        if (this.#columns.size * this.#rowCapacity > SPAN_TABLE_CELL_COUNT_MAX)
          throw tooManyColumns(this.#columns.size);
      }
      column.setValue(this.#row, value);
    });
  }

  /** In the order of `toAttributeParts`, whose later parts win. */
  #copy(spans: WholeSpanColumns, at: number): void {
    this.#copyObject(spans.attributes, at);
    const { metadata, longAttributes } = spans;
    if (metadata.present[at] === 1) {
      if (metadata.utf8[metadata.offset[at]!] !== OPEN_OBJECT || this.#has(this.#metadata)) throw NOT_PLAIN;
      this.#checkEnd(metadata, at, this.#copyLeaf(this.#metadata, metadata.utf8, metadata.offset[at]!));
    }
    if (longAttributes.present[at] === 1) this.#copyObject(longAttributes, at);
    const kind = KIND_TEXTS[spans.spanKind[at]!];
    if (kind) this.#setText(this.#kind, kind, 0, kind.length);
    for (const { name, field } of this.#promoted) {
      const texts: NullableTextColumn = spans[field];
      if (texts.present[at] === 1) this.#setText(name, texts.utf8, texts.offset[at]!, texts.offset[at + 1]!);
    }
  }

  #copyObject({ utf8, offset }: TextColumn, at: number): void {
    const start = offset[at]!;
    if (utf8[start] !== OPEN_OBJECT) throw NOT_PLAIN;
    this.#checkEnd({ offset }, at, this.#copyMembers(this.#names.root, utf8, start));
  }

  #checkEnd({ offset }: Pick<TextColumn, 'offset'>, at: number, end: number): void {
    if (end !== offset[at + 1]) throw NOT_PLAIN;
  }

  #copyMembers(name: FlatName, bytes: Uint8Array, at: number): number {
    const members = new Members(bytes, at);
    for (let from = at + 1; members.next(from); ) {
      const { valueStart } = members;
      const child = name.childOf(bytes, members.keyStart, members.keyEnd);
      if (!child.isOpened) from = this.#copyLeaf(child, bytes, valueStart);
      else if (bytes[valueStart] === OPEN_OBJECT) from = this.#copyMembers(child, bytes, valueStart);
      else throw NOT_PLAIN;
    }
    return members.end;
  }

  /** Returns the position after the value. */
  #copyLeaf(name: FlatName, bytes: Uint8Array, at: number): number {
    const column = this.#columnOf(name);
    const code = bytes[at]!;
    if (column.row === this.#row) {
      const { source, sourceStart } = column;
      // Another part of the attributes has the value, too.
      if (source === undefined) throw NOT_PLAIN;
      if ((code === OPEN_OBJECT || code === OPEN_LIST) && source[sourceStart] === code) {
        column.begin(this.#row);
        const end = this.#writer.merge(column.out, source, sourceStart, bytes, at);
        column.end(CELL_JSON);
        return end;
      }
    }
    column.begin(this.#row);
    column.source = bytes;
    column.sourceStart = at;
    this.#touched.push(column);
    if (code === QUOTE) {
      const end = appendText(column.out, bytes, at);
      column.end(CELL_TEXT);
      return end;
    }
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      const end = this.#writer.copy(column.out, bytes, at);
      column.end(CELL_JSON);
      return end;
    }
    const end = skipWord(bytes, at);
    if (code === LETTER_T || code === LETTER_F) column.setBoolean(code === LETTER_T);
    else if (code !== LETTER_N) {
      column.out.append(bytes, at, end);
      column.end(CELL_NUMBER);
    }
    return end;
  }

  #setText(name: FlatName, bytes: Uint8Array, start: number, end: number): void {
    const column = this.#columnOf(name);
    // Sent in another form, too.
    if (column.row === this.#row) throw NOT_PLAIN;
    column.begin(this.#row);
    this.#touched.push(column);
    column.out.append(bytes, start, end);
    column.end(CELL_TEXT);
  }

  #has(name: FlatName): boolean {
    return this.#columnOf(name).row === this.#row;
  }

  #columnOf(name: FlatName): PackedColumnBuilder {
    let column = this.#columnOfName.get(name);
    if (column) return column;
    column = this.#columns.get(name.column);
    // Columns are added in the order of the attributes, which only the parsed ones have.
    if (!column) throw NOT_PLAIN;
    this.#columnOfName.set(name, column);
    return column;
  }
}

const LETTER_T = 0x74;
const LETTER_F = 0x66;
const LETTER_N = 0x6e;
