import type { ExactJson } from '../../../../base/exact-json.ts';
import { expectPresent } from '../../../../base/expect-present.ts';
import { DATASET_ARROW_DICTIONARY_BYTES_MAX } from '../../../../model/limits/datasets.ts';
import { uploadInvalid } from '../../upload-invalid.ts';
import type { Row } from '../table-columns.ts';
import { type ArrowField, readSchema } from './arrow-schema.ts';
import { type Column, ColumnReader } from './column.ts';
import { damaged, withinBytes } from './damaged.ts';
import type { FlatTable } from './flat-table.ts';
import { type ArrowMessage, MESSAGE_KINDS, readMessages } from './read-messages.ts';
import { RecordBatch } from './record-batch.ts';
import { RowSize } from './row-size.ts';

/**
 * Rows of a stream in Arrow's IPC format, batch by batch. Only the bytes of one record batch are in memory; values are read on
 * request. A row is valid until the next one. `checkColumns` receives the names of the columns before any row.
 *
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for a stream that is not Arrow, is damaged, or has unsupported
 * content
 */
export async function* readArrow(
  file: AsyncIterable<Uint8Array>,
  checkColumns: (names: ReadonlySet<string>) => void,
): AsyncGenerator<Iterable<Row>> {
  let reader: BatchReader | undefined;
  for await (const message of readMessages(file)) {
    if (!reader) {
      const fields = withinBytes('the schema', () => readFields(message));
      checkColumns(new Set(fields.map(({ name }) => name)));
      reader = new BatchReader(fields);
    } else if (message.kind === MESSAGE_KINDS.dictionaryBatch) {
      const { head, body } = message;
      const present = reader;
      withinBytes('a dictionary', () => present.addDictionary(head, body));
    } else if (message.kind === MESSAGE_KINDS.recordBatch) {
      yield reader.rows(message);
    } else {
      throw damaged(`a message is of the kind ${message.kind}`);
    }
  }
  if (!reader) throw uploadInvalid('The Arrow stream has no schema');
}

function readFields({ kind, head }: ArrowMessage): ArrowField[] {
  if (kind !== MESSAGE_KINDS.schema) throw damaged('its first message is not a schema');
  const fields = readSchema(head);
  const names = new Set<string>();
  for (const { name } of fields) {
    if (names.has(name)) throw uploadInvalid(`Duplicated column in Arrow stream: ${name}`);
    names.add(name);
  }
  return fields;
}

class BatchReader {
  readonly #fields: readonly ArrowField[];
  /** Fields whose values are in a dictionary, by the number of the dictionary. */
  readonly #dictionaryFields = new Map<number, ArrowField>();
  readonly #dictionaries = new Map<number, Dictionary>();
  #dictionaryBytes = 0;
  readonly #size = new RowSize();

  constructor(fields: readonly ArrowField[]) {
    this.#fields = fields;
    this.#collect(fields);
  }

  #collect(fields: readonly ArrowField[]): void {
    for (const field of fields) {
      if (field.dictionary) this.#dictionaryFields.set(field.dictionary.id, field);
      this.#collect(field.children);
    }
  }

  /**
   * `DictionaryBatch` of `Message.fbs`: number, its values as a batch with one column, and whether they are added to
   * earlier ones.
   */
  addDictionary(head: FlatTable, body: Uint8Array): void {
    const id = head.count(0);
    const field = this.#dictionaryFields.get(id);
    const data = head.table(1);
    if (!field || !data) throw damaged(`no column has the dictionary ${id}`);
    const batch = new RecordBatch(data, body);
    const reader = new ColumnReader(batch, this.#size, noDictionary);
    const values = reader.readValues(field, batch.rowCount);
    batch.end();
    this.#keep(id, head.byte(2) !== 0, values, head.view.byteLength + body.byteLength + PART_BYTES);
  }

  #keep(id: number, isAddition: boolean, values: Column, bytes: number): void {
    const before = this.#dictionaries.get(id);
    const dictionary: Dictionary = isAddition && before ? before : { bytes: 0, parts: [] };
    const last = dictionary.parts.at(-1);
    dictionary.parts.push({ start: last ? last.start + last.values.length : 0, values });
    dictionary.bytes += bytes;
    this.#dictionaryBytes += bytes - (before && before !== dictionary ? before.bytes : 0);
    if (this.#dictionaryBytes > DATASET_ARROW_DICTIONARY_BYTES_MAX) {
      throw uploadInvalid(
        `The dictionaries of the Arrow stream have more than ${DATASET_ARROW_DICTIONARY_BYTES_MAX} bytes`,
      );
    }
    this.#dictionaries.set(id, dictionary);
  }

  *rows({ head, body }: ArrowMessage): Generator<Row> {
    const { rowCount, columns } = withinBytes('a record batch', () => this.#bind(new RecordBatch(head, body)));
    for (let index = 0; index < rowCount; index++) {
      this.#size.begin();
      yield (name) => {
        const column = columns.get(name);
        return column && withinBytes(`column '${name}'`, () => column.at(index));
      };
    }
  }

  #bind(batch: RecordBatch): { rowCount: number; columns: ReadonlyMap<string, Column> } {
    const { rowCount } = batch;
    const reader = new ColumnReader(batch, this.#size, (id) => this.#findDictionary(id));
    const columns = new Map(this.#fields.map((field) => [field.name, reader.read(field, rowCount)]));
    batch.end();
    return { rowCount, columns };
  }

  #findDictionary(id: number): Column {
    const parts = this.#dictionaries.get(id)?.parts;
    const last = parts?.at(-1);
    if (!parts || !last) throw damaged(`dictionary ${id} follows the batch that needs it`);
    if (parts.length === 1) return last.values;
    return { length: last.start + last.values.length, at: (index) => valueOfParts(parts, index) };
  }
}

/** Each addition to a dictionary is a separate part, which is found by binary search. */
function valueOfParts(parts: readonly DictionaryPart[], index: number): ExactJson {
  const partAt = (place: number) =>
    expectPresent(parts[place], 'a column has a part, and the place is between the ends');
  let low = 0;
  for (let high = parts.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if (partAt(middle).start <= index) low = middle;
    else high = middle - 1;
  }
  const { start, values } = partAt(low);
  return values.at(index - start);
}

interface Dictionary {
  bytes: number;
  readonly parts: DictionaryPart[];
}

interface DictionaryPart {
  /** Index of its first value in the dictionary. */
  readonly start: number;
  readonly values: Column;
}

/** Memory of a part in addition to its bytes. */
const PART_BYTES = 1_024;

const noDictionary = (id: number): never => {
  throw damaged(`dictionary ${id} is needed by a dictionary`);
};
