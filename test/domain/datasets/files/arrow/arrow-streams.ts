import * as arrow from 'apache-arrow';

/** Columns as a stream of Arrow's IPC format: a record batch for each chunk that they have. */
export const arrowStream = (columns: Readonly<Record<string, arrow.Vector>>): Uint8Array =>
  arrow.tableToIPC(new arrow.Table(columns as Record<string, arrow.Vector>), 'stream');

/** A stream with a column of each type that is read, three rows long, and its rows as JSON texts. */
export function manyTypes(): { readonly file: Uint8Array; readonly rows: readonly string[] } {
  const vectors: Record<string, arrow.Vector> = {};
  const texts: [string, string, string][] = [];
  const columns = Object.entries({ ...plainColumns(), ...timeColumns(), ...nestedColumns() });
  for (const [name, { vector, json }] of columns) {
    vectors[name] = vector;
    texts.push(json.map((text) => `"${name}":${text}`) as [string, string, string]);
  }
  return {
    file: arrowStream(vectors),
    rows: [0, 1, 2].map((row) => `{${texts.map((column) => column[row]!).join(',')}}`),
  };
}

interface Expected {
  readonly vector: arrow.Vector;
  readonly json: readonly [string, string, string];
}

const of = (type: arrow.DataType, values: readonly unknown[], ...json: [string, string, string]): Expected => ({
  vector: arrow.vectorFromArray(values as never[], type as never),
  json,
});

/** Values of 64 bits as they lie in the file: the library's own builders of times go by way of milliseconds. */
function raw(type: arrow.DataType, values: readonly (bigint | null)[], ...json: [string, string, string]): Expected {
  const builder = arrow.makeBuilder({ type: new arrow.Int64(), nullValues: [null] });
  for (const value of values) builder.append(value);
  return {
    vector: new arrow.Vector([
      builder
        .finish()
        .flush()
        .clone(type as never),
    ]),
    json,
  };
}

function decimals(): Expected {
  const words = (value: bigint) => [0n, 32n, 64n, 96n].map((by) => Number((value >> by) & 0xffff_ffffn));
  const data = Uint32Array.from([12_345n, -5n, -(10n ** 30n)].flatMap(words));
  const type = new arrow.Decimal(2, 38, 128);
  return {
    vector: new arrow.Vector([arrow.makeData({ type, length: 3, nullCount: 0, data })]),
    json: ['123.45', '-0.05', `-1${'0'.repeat(28)}.00`],
  };
}

const plainColumns = (): Record<string, Expected> => ({
  nothing: of(new arrow.Null(), [null, null, null], 'null', 'null', 'null'),
  flag: of(new arrow.Bool(), [true, null, false], 'true', 'null', 'false'),
  byte: of(new arrow.Int8(), [-128, 127, 0], '-128', '127', '0'),
  natural: of(new arrow.Uint16(), [0, 65_535, null], '0', '65535', 'null'),
  word: of(new arrow.Uint32(), [0, 4_294_967_295, 1], '0', '4294967295', '1'),
  long: of(new arrow.Int64(), [9_007_199_254_740_993n, -1n, null], '9007199254740993', '-1', 'null'),
  wide: of(new arrow.Uint64(), [18_446_744_073_709_551_615n, 1n, 2n], '18446744073709551615', '1', '2'),
  half: of(new arrow.Float16(), [1.5, -0.25, null], '1.5', '-0.25', 'null'),
  single: of(new arrow.Float32(), [0.5, Number.NaN, 2], '0.5', 'null', '2'),
  double: of(new arrow.Float64(), [0.1, Number.POSITIVE_INFINITY, 1e300], '0.1', 'null', '1e+300'),
  decimal: decimals(),
  text: of(new arrow.Utf8(), ['Zürich 東京 🚀', '', null], '"Zürich 東京 🚀"', '""', 'null'),
  longText: of(new arrow.LargeUtf8(), ['a', null, '"\n'], '"a"', 'null', '"\\"\\n"'),
  bytes: of(new arrow.Binary(), [Buffer.from([0, 255]), null, Buffer.from('')], '"AP8="', 'null', '""'),
  key: of(new arrow.FixedSizeBinary(2), [Buffer.from('ab'), null, Buffer.from('cd')], '"YWI="', 'null', '"Y2Q="'),
});

const timeColumns = (): Record<string, Expected> => ({
  seconds: raw(new arrow.TimestampSecond(), [0n, -1n, null], '"1970-01-01T00:00:00"', '"1969-12-31T23:59:59"', 'null'),
  micros: raw(
    new arrow.TimestampMicrosecond('Europe/Berlin'),
    [1_700_000_000_123_456n, null, 1_700_000_000_000_000n],
    '"2023-11-14T22:13:20.123456+00:00"',
    'null',
    '"2023-11-14T22:13:20+00:00"',
  ),
  nanos: raw(
    new arrow.TimestampNanosecond('UTC'),
    [1_700_000_000_123_456_789n, -1n, 0n],
    '"2023-11-14T22:13:20.123456789+00:00"',
    '"1969-12-31T23:59:59.999999999+00:00"',
    '"1970-01-01T00:00:00+00:00"',
  ),
  day: of(
    new arrow.DateDay(),
    [new Date('2024-02-29'), null, new Date('1969-12-31')],
    '"2024-02-29"',
    'null',
    '"1969-12-31"',
  ),
  clock: raw(new arrow.TimeNanosecond(), [0n, 86_399_999_000_000n, null], '"00:00:00"', '"23:59:59.999000"', 'null'),
  took: raw(new arrow.DurationMillisecond(), [90_061_500n, -1_000n, null], '"P1DT1H1M1.5S"', '"-P0DT0H0M1S"', 'null'),
});

const item = (type: arrow.DataType, name = 'item') => new arrow.Field(name, type, true);

const nestedColumns = (): Record<string, Expected> => ({
  list: of(new arrow.List(item(new arrow.Int32())), [[1, null, 3], null, []], '[1,null,3]', 'null', '[]'),
  pair: of(new arrow.FixedSizeList(2, item(new arrow.Int32())), [[1, 2], [3, null], null], '[1,2]', '[3,null]', 'null'),
  record: of(
    new arrow.Struct([item(new arrow.Utf8(), '__proto__'), item(new arrow.List(item(new arrow.Bool())), 'b')]),
    [{ ['__proto__']: 'x', b: [true] }, null, { ['__proto__']: null, b: null }],
    '{"__proto__":"x","b":[true]}',
    'null',
    '{"__proto__":null,"b":null}',
  ),
  map: of(
    new arrow.Map_(
      new arrow.Field(
        'entries',
        new arrow.Struct([new arrow.Field('key', new arrow.Utf8(), false), item(new arrow.Int32(), 'value')]),
        false,
      ) as never,
    ),
    [new Map([['a', 1]]), new Map(), null],
    '[["a",1]]',
    '[]',
    'null',
  ),
  category: of(new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8(), 1), ['x', null, 'x'], '"x"', 'null', '"x"'),
});
