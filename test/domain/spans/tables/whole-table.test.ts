import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExactNumber, toExactJsonText } from '../../../../src/base/exact-json.ts';
import { SPAN_KINDS } from '../../../../src/semconv/span-kinds.ts';
import type { NullableTextColumn } from '../../../../src/columns/span-columns.ts';
import { mapTextAttributes } from '../../../../src/columns/text-attributes.ts';
import { NullableTextColumnBuilder } from '../../../../src/columns/text-column-builder.ts';
import type { WholeSpanColumns } from '../../../../src/span-store/contract/spans.ts';
import { type ColumnType, typeOfCells } from '../../../../src/domain/spans/tables/column-type.ts';
import { type PackedTable, toCells } from '../../../../src/domain/spans/tables/packed-column.ts';
import { toQueriedSpans } from '../../../../src/domain/spans/tables/read-queried-spans.ts';
import { toTable } from '../../../../src/domain/spans/tables/span-table.ts';
import { type Cell, JsonText } from '../../../../src/domain/spans/tables/table.ts';
import { packWholeTables } from '../../../../src/domain/spans/tables/whole-table.ts';
import { SeededRandom } from '../../../fixtures/seeded-random.ts';

interface StoredTexts {
  readonly attributes: string;
  readonly longAttributes?: string | null;
  readonly metadata?: string | null;
  readonly input?: string | null;
  readonly sessionId?: string | null;
  readonly modelName?: string | null;
  readonly events?: string | null;
  readonly spanKind?: number;
}

const texts = (values: readonly (string | null | undefined)[]): NullableTextColumn => {
  const builder = new NullableTextColumnBuilder(values.length);
  for (const [row, value] of values.entries()) {
    if (typeof value === 'string') {
      builder.appendString(value);
      builder.present[row] = 1;
    }
    builder.endRow(row);
  }
  return builder.finish(values.length);
};

function columnsOf(spans: readonly StoredTexts[]): WholeSpanColumns {
  const none = texts(spans.map(() => null));
  const same = (value: string) => texts(spans.map(() => value));
  return {
    rowCount: spans.length,
    rowIds: Float64Array.from(spans, (_, row) => row + 1),
    traceId: same('0'.repeat(32)),
    spanId: texts(spans.map((_, row) => row.toString(16).padStart(16, '0'))),
    parentSpanId: texts(spans.map((_, row) => (row % 2 ? 'a parent' : null))),
    name: texts(spans.map((_, row) => `name ${row}`)),
    spanKind: Uint8Array.from(spans, ({ spanKind = 0 }) => spanKind),
    statusCode: Uint8Array.from(spans, (_, row) => row % 3),
    statusMessage: same(''),
    startTimeUnixNano: BigInt64Array.from(spans, (_, row) => BigInt(row)),
    endTimeUnixNano: BigInt64Array.from(spans, (_, row) => BigInt(row * 2)),
    attributes: texts(spans.map(({ attributes }) => attributes)),
    longAttributes: texts(spans.map(({ longAttributes }) => longAttributes)),
    metadata: texts(spans.map(({ metadata }) => metadata)),
    input: texts(spans.map(({ input }) => input)),
    output: none,
    events: texts(spans.map(({ events }) => events)),
    ...mapTextAttributes(({ field }) => {
      if (field === 'sessionId') return texts(spans.map(({ sessionId }) => sessionId));
      return field === 'modelName' ? texts(spans.map(({ modelName }) => modelName)) : none;
    }),
  };
}

/** A cell as a column of a type shows it. */
function shown(cell: Cell, type: ColumnType): unknown {
  if (cell === null) return null;
  if (type === 'json') return cell instanceof JsonText ? cell.text : toExactJsonText(cell as never);
  if (type === 'integer') return BigInt(cell instanceof ExactNumber ? cell.text : (cell as number));
  return type === 'number' ? Number(cell) : cell;
}

async function assertSameTables(spans: readonly StoredTexts[]): Promise<void> {
  const columns = columnsOf(spans);
  const packed: PackedTable[] = [];
  for await (const table of packWholeTables(columns, {})) packed.push(table);
  const page = { columns, sums: new Map(), bytes: 0, isScattered: false };
  const model = await toTable(toQueriedSpans(page), {});
  assert.equal(packed.length, 1);
  const all = [...packed[0]!.index, ...packed[0]!.columns];
  const expected = [...model.index, ...model.columns];
  assert.deepEqual(
    all.map(({ name, type }) => [name, type]),
    expected.map(({ name, cells }) => [name, typeOfCells(cells)]),
  );
  for (const [at, column] of all.entries()) {
    assert.deepEqual(
      toCells(column).map((cell) => shown(cell, column.type)),
      expected[at]!.cells.map((cell) => shown(cell, column.type)),
      column.name,
    );
    assert.equal(column.nullCount, expected[at]!.cells.filter((cell) => cell === null).length);
  }
}

const OPENED = [
  'llm',
  'input',
  'message',
  'retrieval',
  'document',
  'session',
  'tag',
  'openinference',
  'span',
  'token_count',
];
const LEAVES = [
  'input_messages',
  'documents',
  'value',
  'role',
  'content',
  'id',
  'kind',
  'prompt',
  'model_name',
  'metadata',
];
const ODD = ['a.b', '1', 'ü', '__proto__', 'q"', 'constructor', '', 'toString'];
const WORDS = [
  '',
  'plain',
  'Grüße 🦊',
  'a "quoted" \\ word',
  'line\nand\ttab\r\b\f',
  'esc \u001b',
  '</script>',
  'null',
];
const NUMBERS = ['0', '-1', '12', '1.5', '1.0', '9007199254740993', '-0', '1e5', '123456789', '99999999999999999999'];

/** JSON texts with whatever an attribute may have, most of them as the store has them. */
class RandomJson {
  readonly #random: SeededRandom;
  /** Part of the objects that have blanks, odd or repeated keys. */
  readonly #oddPart: number;
  constructor(random: SeededRandom, oddPart: number) {
    this.#random = random;
    this.#oddPart = oddPart;
  }

  #key(): string {
    const random = this.#random;
    if (random.chance(this.#oddPart)) return random.pick(ODD);
    return random.pick(random.chance(0.5) ? OPENED : LEAVES);
  }

  value(depth: number): string {
    const random = this.#random;
    const kind = random.below(depth > 0 ? 8 : 5);
    if (kind < 2) return JSON.stringify(random.pick(WORDS));
    if (kind === 2) return random.pick(NUMBERS);
    if (kind === 3) return random.pick(['true', 'false', 'null']);
    if (kind === 4) return random.chance(0.5) ? '[]' : '{}';
    if (kind === 5) return `[${Array.from({ length: random.below(4) }, () => this.value(depth - 1)).join(',')}]`;
    return this.object(depth - 1);
  }

  object(depth: number): string {
    const random = this.#random;
    const blank = random.chance(this.#oddPart) ? ' ' : '';
    const keys = Array.from({ length: random.below(4) }, () => this.#key());
    const chosen = random.chance(this.#oddPart) ? keys : [...new Set(keys)];
    const members = chosen.map((key) => `${JSON.stringify(key)}:${blank}${this.value(depth)}`);
    return `{${blank}${members.join(`,${blank}`)}}`;
  }
}

test('packs the cells that the parsed attributes have, whatever they are', async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = new SeededRandom(seed);
    const json = new RandomJson(random, seed % 4 === 0 ? 0.2 : 0.01);
    const maybe = (value: () => string) => (random.chance(0.3) ? value() : null);
    const spans = Array.from(
      { length: 40 },
      (): StoredTexts => ({
        attributes: json.object(5),
        longAttributes: maybe(() => json.object(5)),
        metadata: maybe(() => json.object(3)),
        input: maybe(() => random.pick(WORDS)),
        sessionId: maybe(() => random.pick(WORDS)),
        modelName: maybe(() => random.pick(WORDS)),
        events: maybe(() => `[{"name":"e","time_unix_nano":"1","attributes":${json.object(2)}}]`),
        spanKind: random.below(SPAN_KINDS.length),
      }),
    );
    await assertSameTables(spans).catch((error: Error) => {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    });
  }
});

test('merges lists of messages whose short and long texts are stored apart', async () => {
  const message = (more: object) => ({ message: more });
  const spans = Array.from(
    { length: 5 },
    (_, n): StoredTexts => ({
      attributes: JSON.stringify({
        llm: {
          input_messages: [message({ role: 'system' }), message({ role: 'user', content: `short ${n}` })],
          odd: n,
        },
      }),
      longAttributes: JSON.stringify({
        llm: { input_messages: [message({ content: `"long" ${n}\n` }), {}, message({ content: 'third' })], odd: [n] },
      }),
      modelName: 'gpt',
      spanKind: 1,
    }),
  );
  await assertSameTables(spans);

  const { value: table } = await packWholeTables(columnsOf(spans), {}).next();
  const messages = (table as PackedTable).columns.find(({ name }) => name === 'attributes.llm.input_messages');
  assert.deepEqual(JSON.parse((toCells(messages!)[4] as JsonText).text), [
    { 'message.role': 'system', 'message.content': '"long" 4\n' },
    { 'message.role': 'user', 'message.content': 'short 4' },
    { 'message.content': 'third' },
  ]);
});

test('takes the value of the later part where two parts of a list conflict', async () => {
  const listOf = (element: object) => JSON.stringify({ llm: { list: [element] } });
  const spans = Array.from(
    { length: 3 },
    (): StoredTexts => ({
      attributes: listOf({ a: 1, b: { c: 1 }, d: [1], e: 'kept', message: { role: 'user' } }),
      longAttributes: listOf({ a: 'text', b: 2, d: { f: 1 }, message: 'none' }),
    }),
  );
  await assertSameTables(spans);

  const { value: table } = await packWholeTables(columnsOf(spans), {}).next();
  const list = (table as PackedTable).columns.find(({ name }) => name === 'attributes.llm.list');
  assert.deepEqual(JSON.parse((toCells(list!)[2] as JsonText).text), [
    { a: 'text', b: 2, d: { f: 1 }, e: 'kept', message: 'none' },
  ]);
});

test('makes a table for every 1,024 spans, each with the columns of its own', async () => {
  const spans = Array.from(
    { length: 2_500 },
    (_, n): StoredTexts => ({ attributes: n < 1_024 ? '{"a":1}' : '{"b":2}' }),
  );
  const tables: PackedTable[] = [];
  for await (const table of packWholeTables(columnsOf(spans), { rename: { 'attributes.b': 'two' } }))
    tables.push(table);

  assert.deepEqual(
    tables.map(({ index, columns }) => [index[0]!.rowCount, columns.at(-1)!.name]),
    [
      [1_024, 'attributes.a'],
      [1_024, 'two'],
      [452, 'two'],
    ],
  );
});
