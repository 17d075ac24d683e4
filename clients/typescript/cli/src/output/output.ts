import { selectFields } from './fields.ts';
import { type Column, toTable } from './table.ts';
import { toLine } from './text.ts';

export type Format = 'pretty' | 'json' | 'raw' | 'jsonl' | 'text';

export interface OutputOptions {
  readonly format: Format;
  readonly fields: readonly string[];
  /** `line` on a terminal, `notes` elsewhere, `none` with `--no-progress`. */
  readonly progress: 'line' | 'notes' | 'none';
  readonly hasColor: boolean;
}

const COLORS = { red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, gray: 90, bold: 1 } as const;
export type Color = keyof typeof COLORS;

/** Standard output for data, standard error for everything else. */
export class Output {
  readonly format: Format;
  readonly hasColor: boolean;
  readonly #fields: readonly string[];
  readonly #progress: OutputOptions['progress'];
  #hasProgressLine = false;

  constructor({ format, fields, progress, hasColor }: OutputOptions) {
    this.format = format;
    this.hasColor = hasColor;
    this.#fields = fields;
    this.#progress = progress;
  }

  get isPretty(): boolean {
    return this.format === 'pretty' || this.format === 'text';
  }

  /** Text in a colour on a terminal. */
  paint(color: Color, text: string): string {
    return this.hasColor && text ? `\u001b[${COLORS[color]}m${text}\u001b[0m` : text;
  }

  /** Writes to standard output, and waits while its reader is slow. */
  async write(text: string | Uint8Array): Promise<void> {
    this.clearProgress();
    if (process.stdout.write(text)) return;
    await new Promise((resolve) => process.stdout.once('drain', resolve));
  }

  async line(text: string): Promise<void> {
    await this.write(`${text}\n`);
  }

  /** A line for people on standard error. */
  note(text: string): void {
    this.clearProgress();
    process.stderr.write(`${text}\n`);
  }

  /** Replaces the line of progress, if standard error is a terminal. */
  progress(text: string): void {
    if (this.#progress !== 'line') return;
    // A line that the terminal wraps could not be replaced.
    const width = (process.stderr.columns || DEFAULT_COLUMNS) - 1;
    process.stderr.write(`\r\u001b[K${toLine(text, width)}`);
    this.#hasProgressLine = true;
  }

  /** A line for people where no line of progress is shown, because standard error is no terminal. */
  noteInPlaceOfProgress(text: string): void {
    if (this.#progress === 'notes') this.note(toLine(text, NOTE_LENGTH_MAX));
  }

  clearProgress(): void {
    if (this.#hasProgressLine) process.stderr.write('\r\u001b[K');
    this.#hasProgressLine = false;
  }

  /** One document. `pretty` makes the text for people. */
  async item(value: unknown, pretty: () => string): Promise<void> {
    if (this.isPretty && this.#fields.length === 0) return this.line(pretty());
    await this.line(this.#json(value, this.format === 'json' || this.isPretty ? 2 : 0));
  }

  /**
   * A list: a table for people, one JSON document, or one line for each item. JSON is written item by item, so that a long
   * list needs no memory.
   */
  async list<Item>(items: AsyncIterable<Item>, columns: readonly Column<Item>[], emptyText: string): Promise<void> {
    if (this.isPretty && this.#fields.length === 0) return this.#prettyList(items, columns, emptyText);
    const isLines = this.format === 'jsonl';
    let count = 0;
    for await (const item of items) {
      if (isLines) await this.line(this.#json(item, 0));
      else if (this.format === 'raw') await this.write(`${count === 0 ? '[' : ','}${this.#json(item, 0)}`);
      else await this.write(`${count === 0 ? '[\n' : ',\n'}${indent(this.#json(item, 2))}`);
      count++;
    }
    if (isLines) return;
    if (count === 0) await this.line('[]');
    else await this.line(this.format === 'raw' ? ']' : '\n]');
  }

  async #prettyList<Item>(
    items: AsyncIterable<Item>,
    columns: readonly Column<Item>[],
    emptyText: string,
  ): Promise<void> {
    let rows: string[][] = [];
    let isFirst = true;
    const flush = async () => {
      if (rows.length > 0) await this.line(toTable(columns, rows, { isFirst, output: this }));
      isFirst = false;
      rows = [];
    };
    for await (const item of items) {
      rows.push(columns.map(({ text }) => String(text(item) ?? '')));
      if (rows.length >= TABLE_ROW_COUNT) await flush();
    }
    const isEmpty = isFirst && rows.length === 0;
    await flush();
    if (isEmpty) this.note(emptyText);
  }

  #json(value: unknown, spaces: number): string {
    const selected = this.#fields.length > 0 ? selectFields(value, this.#fields) : value;
    return JSON.stringify(selected, null, spaces);
  }
}

/** Width of a terminal that does not state its own. */
const DEFAULT_COLUMNS = 80;
const NOTE_LENGTH_MAX = 300;
/** Rows that are laid out together; more begin a new layout, so that a long list needs no memory. */
const TABLE_ROW_COUNT = 500;

const indent = (text: string): string => `  ${text.replaceAll('\n', '\n  ')}`;
