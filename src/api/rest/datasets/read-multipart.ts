import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { SpandrelError } from '../../../model/errors.ts';
import { FORM_SLICE_MS } from '../../../model/limits/datasets.ts';
import { HEADER_BYTES_MAX } from '../../../model/limits/requests.ts';

/** One part of a form. */
export interface FormPart {
  readonly name: string;
  /** Undefined for a field that is not a file. */
  readonly fileName: string | undefined;
  /** Values by lower-case header name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Must be read before the next part is requested, which drops the unread rest. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** The boundary of a `multipart/form-data` content type. Undefined for another type, or if the type names no boundary. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) return undefined;
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

/**
 * Yields the parts of a `multipart/form-data` body (RFC 7578) while it arrives, and holds at most one chunk of it.
 *
 * @throws {SpandrelError} `BODY_UNREADABLE` if the body has another form or ends too early.
 */
export async function* readMultipart(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  // A body that starts with its first boundary has no line end before that boundary.
  const reader = new DelimitedReader(LINE_END, body);
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  await drain(reader.readUntil(delimiter));
  let sliceStart = performance.now();
  for (;;) {
    if ((await reader.take(2)).equals(Buffer.from('--'))) return;
    reader.unread(2);
    const blanks = await reader.readText(LINE_END, HEADER_BYTES_MAX);
    if (blanks.trim() !== '') throw malformed('a boundary is not alone on its line');
    reader.unread(LINE_END.byteLength);
    const head = await reader.readText(Buffer.from('\r\n\r\n'), HEADER_BYTES_MAX);
    const content = reader.readUntil(delimiter);
    yield toPart(head, content);
    await drain(content);
    // Many small parts may be in one chunk, which nothing else waits for.
    if (performance.now() - sliceStart > FORM_SLICE_MS) {
      await yieldToOthers();
      sliceStart = performance.now();
    }
  }
}

async function drain(content: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of content);
}

function toPart(head: string, content: AsyncIterable<Uint8Array>): FormPart {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const name = parameter(disposition, 'name');
  if (name === undefined) throw malformed('a part has no name');
  return { name, fileName: extendedParameter(disposition) ?? parameter(disposition, 'filename'), headers, content };
}

/** Browsers write a quote in a name as `%22`, other clients write `\"`. */
function parameter(header: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;]+))`, 'i').exec(header);
  return match?.[1]?.replace(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? match?.[2];
}

/** `filename*=UTF-8''na%C3%AFve.csv` */
function extendedParameter(header: string): string | undefined {
  const match = /;\s*filename\*=utf-8''([^\s;]+)/i.exec(header);
  try {
    return match?.[1] && decodeURIComponent(match[1]);
  } catch {
    return undefined;
  }
}

const LINE_END = Buffer.from('\r\n');
const malformed = (what: string): SpandrelError =>
  new SpandrelError('BODY_UNREADABLE', `There was an error parsing the body: ${what}`);

/** Reads a stream up to delimiters, which may span two chunks. */
class DelimitedReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #chunk: Buffer;
  /** Bytes of the chunk that have been read. */
  #offset = 0;

  /** @param start Precedes the stream. */
  constructor(start: Buffer, source: AsyncIterable<Uint8Array>) {
    this.#chunk = start;
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(byteCount: number): Promise<Buffer> {
    while (this.#chunk.byteLength - this.#offset < byteCount) await this.#readMore();
    return this.#advance(this.#offset + byteCount);
  }

  /** Goes back by bytes of the last read. */
  unread(byteCount: number): void {
    this.#offset -= byteCount;
  }

  async readText(delimiter: Buffer, bytesMax: number): Promise<string> {
    for (;;) {
      const end = this.#chunk.indexOf(delimiter, this.#offset);
      if ((end >= 0 ? end : this.#chunk.byteLength) - this.#offset > bytesMax)
        throw malformed('the headers of a part are too long');
      if (end < 0) {
        await this.#readMore();
        continue;
      }
      const text = this.#advance(end).toString('utf8');
      this.#offset += delimiter.byteLength;
      return text;
    }
  }

  /** Yields the bytes before the delimiter and skips the delimiter. */
  async *readUntil(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const end = this.#chunk.indexOf(delimiter, this.#offset);
      if (end >= 0) {
        const last = this.#advance(end);
        this.#offset += delimiter.byteLength;
        if (last.byteLength > 0) yield last;
        return;
      }
      // The chunk may end with the start of a delimiter.
      const safe = this.#chunk.byteLength - delimiter.byteLength + 1;
      if (safe > this.#offset) yield this.#advance(safe);
      await this.#readMore();
    }
  }

  #advance(end: number): Buffer {
    const bytes = this.#chunk.subarray(this.#offset, end);
    this.#offset = end;
    return bytes;
  }

  async #readMore(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw malformed('it ends before its last boundary');
    this.#chunk = Buffer.concat([this.#chunk.subarray(this.#offset), next.value]);
    this.#offset = 0;
  }
}
