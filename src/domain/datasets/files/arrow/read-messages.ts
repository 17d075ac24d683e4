import { DATASET_ARROW_BATCH_BYTES_MAX, DATASET_ARROW_HEAD_BYTES_MAX } from '../../../../model/limits/datasets.ts';
import { uploadInvalid } from '../../upload-invalid.ts';
import { damaged, withinBytes } from './damaged.ts';
import { FlatTable } from './flat-table.ts';

export interface ArrowMessage {
  /** `MESSAGE_KINDS`, or an unknown number. */
  readonly kind: number;
  readonly head: FlatTable;
  readonly body: Uint8Array;
}

export const MESSAGE_KINDS = { schema: 1, dictionaryBatch: 2, recordBatch: 3 } as const;

/**
 * Messages of a stream in Arrow's IPC format, one in memory at a time. The stream must have its end mark: writers set it,
 * and without it a whole file cannot be distinguished from a truncated one.
 *
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for a file that is not a stream, is truncated, or has a message that
 * is too large
 */
export async function* readMessages(file: AsyncIterable<Uint8Array>): AsyncGenerator<ArrowMessage> {
  const bytes = new ByteQueue(file);
  try {
    let message = await readMessage(bytes, true);
    while (message) {
      yield message;
      message = await readMessage(bytes, false);
    }
  } finally {
    await bytes.close();
  }
}

/** Undefined at the end mark. */
async function readMessage(bytes: ByteQueue, isFirst: boolean): Promise<ArrowMessage | undefined> {
  const prefix = await bytes.take(8);
  if (prefix === undefined || prefix.readUInt32LE(0) !== CONTINUATION) {
    if (isFirst) throw uploadInvalid(`The file is not an Arrow stream${nameOther(prefix)}`);
    throw damaged(prefix ? 'a message does not start with the marker of messages' : 'it ends before its end mark');
  }
  const headBytes = prefix.readInt32LE(4);
  if (headBytes === 0) return undefined;
  if (headBytes < 0 || headBytes > DATASET_ARROW_HEAD_BYTES_MAX) {
    throw damaged(`the header of a message has ${headBytes} bytes; the maximum is ${DATASET_ARROW_HEAD_BYTES_MAX}`);
  }
  const head = await bytes.take(headBytes);
  if (head === undefined) throw damaged('it ends within the header of a message');
  const { kind, table, bodyBytes } = withinBytes('the header of a message', () => readHead(head));
  if (bodyBytes > DATASET_ARROW_BATCH_BYTES_MAX) {
    throw uploadInvalid(
      `A record batch of the Arrow stream has ${bodyBytes} bytes; the maximum is ${DATASET_ARROW_BATCH_BYTES_MAX}: write smaller batches (max_chunksize)`,
    );
  }
  const body = await bytes.take(bodyBytes);
  if (body === undefined) throw damaged('it ends within the body of a message');
  return { kind, head: table, body };
}

const CONTINUATION = 0xffff_ffff;

/** `Message` of `Message.fbs`: version, kind of the header, header, length of the body. */
function readHead(head: Buffer): { kind: number; table: FlatTable; bodyBytes: number } {
  const message = FlatTable.root(new DataView(head.buffer, head.byteOffset, head.byteLength));
  const table = message.table(2);
  if (!table) throw damaged('a message has no header');
  return { kind: message.byte(1), table, bodyBytes: message.count(3) };
}

function nameOther(prefix: Buffer | undefined): string {
  const magic = prefix?.toString('latin1') ?? '';
  if (magic.startsWith('ARROW1')) return ', but an Arrow file (Feather); write the stream format';
  return magic.startsWith('PAR1') ? ', but Parquet' : '';
}

/** Reads a number of bytes of a file. */
class ByteQueue {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(file: AsyncIterable<Uint8Array>) {
    this.#chunks = file[Symbol.asyncIterator]();
  }

  /** Undefined when the file ends before that. */
  async take(count: number): Promise<Buffer | undefined> {
    // The system does not commit untouched memory, so a false length costs no more than the received bytes.
    const taken = Buffer.allocUnsafeSlow(count);
    for (let filled = 0; filled < count; ) {
      if (this.#rest.byteLength === 0) {
        const { done, value } = await this.#chunks.next();
        if (done) return undefined;
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, count - filled);
      taken.set(part, filled);
      filled += part.byteLength;
      this.#rest = this.#rest.subarray(part.byteLength);
    }
    return taken;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
