import { SpandrelError } from '../../../model/errors.ts';
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
  const reader = new DelimitedReader(body);
  // A body that starts with its first boundary has no line end before that boundary.
  reader.prepend(Buffer.from('\r\n'));
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  await drain(reader.readUntil(delimiter));
  for (;;) {
    if ((await reader.take(2)).equals(Buffer.from('--'))) return;
    reader.untake();
    const blanks = await reader.readText(LINE_END, HEADER_BYTES_MAX);
    if (blanks.trim() !== '') throw malformed('a boundary is not alone on its line');
    reader.prepend(LINE_END);
    const head = await reader.readText(Buffer.from('\r\n\r\n'), HEADER_BYTES_MAX);
    const content = reader.readUntil(delimiter);
    yield toPart(head, content);
    await drain(content);
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
  #buffered: Buffer = Buffer.alloc(0);
  #taken: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  prepend(bytes: Buffer): void {
    this.#buffered = Buffer.concat([bytes, this.#buffered]);
  }

  async take(byteCount: number): Promise<Buffer> {
    while (this.#buffered.byteLength < byteCount) await this.#readMore();
    this.#taken = this.#buffered.subarray(0, byteCount);
    this.#buffered = this.#buffered.subarray(byteCount);
    return this.#taken;
  }

  /** Undoes the last `take`. */
  untake(): void {
    this.prepend(this.#taken);
  }

  async readText(delimiter: Buffer, bytesMax: number): Promise<string> {
    for (;;) {
      const end = this.#buffered.indexOf(delimiter);
      if (end >= 0 ? end > bytesMax : this.#buffered.byteLength > bytesMax)
        throw malformed('the headers of a part are too long');
      if (end < 0) {
        await this.#readMore();
        continue;
      }
      const text = this.#buffered.toString('utf8', 0, end);
      this.#buffered = this.#buffered.subarray(end + delimiter.byteLength);
      return text;
    }
  }

  /** Yields the bytes before the delimiter and skips the delimiter. */
  async *readUntil(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const end = this.#buffered.indexOf(delimiter);
      if (end >= 0) {
        const last = this.#buffered.subarray(0, end);
        this.#buffered = this.#buffered.subarray(end + delimiter.byteLength);
        if (last.byteLength > 0) yield last;
        return;
      }
      // The buffered bytes may end with the start of a delimiter.
      const safe = this.#buffered.byteLength - delimiter.byteLength + 1;
      if (safe > 0) {
        const chunk = this.#buffered.subarray(0, safe);
        this.#buffered = this.#buffered.subarray(safe);
        yield chunk;
      }
      await this.#readMore();
    }
  }

  async #readMore(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw malformed('it ends before its last boundary');
    this.#buffered =
      this.#buffered.byteLength === 0 ? Buffer.from(next.value) : Buffer.concat([this.#buffered, next.value]);
  }
}
