import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ExactJson, type ExactJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { SPAN_TABLE_CELL_COUNT_MAX } from '../../../model/limits/reads.ts';
import { isJsonObject } from '../../../model/spans/nested-attributes.ts';
import { atDottedPath, NameFlattener } from './flat-names.ts';
import { type QueriedSpan, readValue, type SpanKey, toSpanKey } from './span-key.ts';
import { type Cell, type Column, JsonText, type Table } from './table.ts';

/** What a table shows of spans, as clients write it. */
export interface Projection {
  /** Key by column. */
  readonly select?: Readonly<Record<string, string>> | undefined;
  /** A row for each element of the list. `columns`: dotted paths into an element by column. */
  readonly explode?:
    | {
        readonly key: string;
        readonly columns?: Readonly<Record<string, string>> | undefined;
        readonly primaryIndexKey: string;
      }
    | undefined;
  /** Texts of the elements of a list, joined. */
  readonly concat?:
    | {
        readonly key: string;
        readonly columns?: Readonly<Record<string, string>> | undefined;
        readonly separator: string;
      }
    | undefined;
  /** New name by old. */
  readonly rename?: Readonly<Record<string, string>> | undefined;
  readonly index?: string | undefined;
}

export const SPAN_ID = 'context.span_id';
const DOCUMENTS = 'retrieval.documents';

/** Keys that a projection reads, whose values are then read with the spans. */
export function keysOf({ select, explode, concat, index }: Projection): SpanKey[] {
  const keys = [...Object.values(select ?? {}), explode?.key, explode?.primaryIndexKey, concat?.key, index];
  return keys.flatMap((key) => (key === undefined ? [] : toSpanKey(key)));
}

/** Yields to the event loop when there are many spans. */
export async function toTable(spans: Iterable<QueriedSpan>, projection: Projection): Promise<Table> {
  const { select, explode, concat, rename } = projection;
  const table = await (select || explode || concat ? projectedTable : wholeTable)(spans, projection);
  return rename ? { ...table, columns: renamed(table.columns, rename) } : table;
}

/** Columns with their new names. */
export const renamed = <Named extends { readonly name: string }>(
  columns: readonly Named[],
  rename: NonNullable<Projection['rename']>,
): Named[] =>
  columns.map((column) => ({
    ...column,
    name: (Object.hasOwn(rename, column.name) ? rename[column.name] : undefined) ?? column.name,
  }));

/** Columns of all that a span has. */
async function wholeTable(spans: Iterable<QueriedSpan>, { index = SPAN_ID }: Projection): Promise<Table> {
  const key = toSpanKey(index);
  const primary: Column = { name: toColumnName(index), cells: [] };
  const columns = new ColumnsBuilder(WHOLE_COLUMNS.map(([name]) => name));
  const names = new NameFlattener();
  await forEachYielding(spans, (span) => {
    columns.beginRow();
    primary.cells.push(readValue(key, span));
    for (const [name, read] of WHOLE_COLUMNS) columns.set(name, read(span));
    names.flatten(span.view.attributes as ExactJsonObject, ({ column }, value) => columns.set(column, value));
  });
  return { index: [primary], columns: columns.columns };
}

const WHOLE_COLUMNS: readonly (readonly [string, (span: QueriedSpan) => Cell])[] = [
  ['name', ({ view }) => view.name],
  ['span_kind', ({ view }) => view.spanKind],
  ['parent_id', ({ view }) => view.parentId],
  ['start_time', ({ view }) => view.startTimeUnixNano],
  ['end_time', ({ view }) => view.endTimeUnixNano],
  ['status_code', ({ view }) => view.statusCode],
  ['status_message', ({ view }) => view.statusMessage],
  ['events', ({ events }) => events],
  [SPAN_ID, ({ view }) => view.spanId],
  ['context.trace_id', ({ view }) => view.traceId],
];

async function projectedTable(spans: Iterable<QueriedSpan>, projection: Projection): Promise<Table> {
  const { select = {}, explode, concat } = projection;
  const selected = Object.entries(select).map(([name, key]) => ({ name: toColumnName(name), key: toSpanKey(key) }));
  const indexName = explode ? explode.primaryIndexKey : (projection.index ?? SPAN_ID);
  const indexKey = toSpanKey(indexName);
  const primary: Column = { name: toColumnName(indexName), cells: [] };
  const position: Column = { name: positionName(explode?.key), cells: [] };
  const columns = new ColumnsBuilder(selected.map(({ name }) => name).filter((name) => name !== primary.name));
  const names = new NameFlattener();
  await forEachYielding(spans, (span) => {
    const joined = concat && concatenated(span, concat);
    const elements = explode ? explodedOf(span, explode, names) : [undefined];
    if ((concat && !joined) || !elements) return;
    for (const element of elements) {
      columns.beginRow();
      primary.cells.push(readValue(indexKey, span));
      for (const { name, key } of selected) if (name !== primary.name) columns.set(name, readValue(key, span));
      if (element) {
        position.cells.push(element.position);
        for (const [name, value] of element.values) columns.set(name, value);
      }
      for (const [name, value] of joined ?? []) columns.set(name, value);
    }
  });
  return { index: explode ? [primary, position] : [primary], columns: columns.columns };
}

/** Number of spans that are parsed and whose cells are set without yielding to the event loop: a few milliseconds of work. */
const TURN_SPAN_COUNT = 100;

async function forEachYielding(spans: Iterable<QueriedSpan>, visit: (span: QueriedSpan) => void): Promise<void> {
  let count = 0;
  for (const span of spans) {
    visit(span);
    if (++count % TURN_SPAN_COUNT === 0) await yieldToEventLoop();
  }
}

/** Names under which clients know the IDs. */
const toColumnName = (name: string): string => (name === 'span_id' || name === 'trace_id' ? `context.${name}` : name);

const positionName = (key: string | undefined): string =>
  key === DOCUMENTS || key === `attributes.${DOCUMENTS}` ? 'document_position' : 'position';

interface Element {
  readonly position: number;
  readonly values: Iterable<readonly [string, ExactJson]>;
}

/** Elements that are objects; undefined where there is no list. */
function explodedOf(
  span: QueriedSpan,
  { key, columns }: NonNullable<Projection['explode']>,
  names: NameFlattener,
): Element[] | undefined {
  const list = readValue(toSpanKey(key), span);
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((element, position) => {
    if (!isJsonObject(element)) return [];
    return { position, values: columns ? pathsOf(element, columns) : flatEntries(element, names) };
  });
}

function flatEntries(element: ExactJsonObject, names: NameFlattener): [string, ExactJson][] {
  const entries: [string, ExactJson][] = [];
  names.flatten(element, ({ name }, value) => entries.push([name, value]));
  return entries;
}

const pathsOf = (element: ExactJson, columns: Readonly<Record<string, string>>): [string, ExactJson][] =>
  Object.entries(columns).map(([name, path]) => [name, atDottedPath(element, path.split('.')) ?? null]);

/** Undefined where there is no list. */
function concatenated(
  span: QueriedSpan,
  { key, columns, separator }: NonNullable<Projection['concat']>,
): [string, ExactJson][] | undefined {
  const list = readValue(toSpanKey(key), span);
  if (!Array.isArray(list)) return undefined;
  const join = (values: readonly (ExactJson | undefined)[]): string | null => {
    const texts = values.flatMap((value) =>
      value === undefined || value === null ? [] : typeof value === 'string' ? value : toExactJsonText(value),
    );
    return texts.length === 0 ? null : texts.join(separator);
  };
  if (!columns) return [[key, join(list)]];
  return Object.entries(columns).map(([name, path]) => [
    name,
    join(list.map((element) => atDottedPath(element, path.split('.')))),
  ]);
}

export const tooManyColumns = (count: number): SpandrelError =>
  new SpandrelError(
    'QUERY_INVALID',
    `the spans have ${count} different attributes, too many for a table; select columns`,
  );

/** Columns are added with the rows that have them. A row without a value has null. */
class ColumnsBuilder {
  readonly #columns = new Map<string, Cell[]>();
  #rowCount = 0;

  constructor(names: readonly string[]) {
    for (const name of names) this.#columns.set(name, []);
  }

  beginRow(): void {
    this.#rowCount++;
  }

  set(name: string, value: Cell): void {
    let cells = this.#columns.get(name);
    if (!cells) {
      cells = [];
      this.#columns.set(name, cells);
    }
    while (cells.length < this.#rowCount - 1) cells.push(null);
    const isStructured = typeof value === 'object' && (Array.isArray(value) || isJsonObject(value as ExactJson));
    cells[this.#rowCount - 1] = isStructured ? new JsonText(toExactJsonText(value as ExactJson)) : value;
  }

  /** @throws {SpandrelError} `QUERY_INVALID` when too many columns have few values each */
  get columns(): Column[] {
    if (this.#columns.size * this.#rowCount > SPAN_TABLE_CELL_COUNT_MAX) {
      throw tooManyColumns(this.#columns.size);
    }
    return Array.from(this.#columns, ([name, cells]) => {
      while (cells.length < this.#rowCount) cells.push(null);
      return { name, cells };
    });
  }
}
