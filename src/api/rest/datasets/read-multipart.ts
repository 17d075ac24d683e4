import { SpandrelError } from '../../../model/errors.ts';
import { HEADER_BYTES_MAX } from '../../../model/limits.ts';

/** A part of a form. */
export interface FormPart {
  readonly name: string;
  /** Undefined for a field that is no file. */
  readonly fileName: string | undefined;
  /** By its lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** To be read before the next part is asked for; what is not read is dropped then. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** The boundary in a `multipart/form-data` content type; undefined when it is another type, or names none. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) return undefined;
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

/**
 * Yields the parts of a `multipart/form-data` body (RFC 7578) while it arrives, and holds at most one chunk of it.
 *
 * @throws {SpandrelError} `BODY_UNREADABLE` for what is no such body, or one without its end.
 */
export async function* readMultipart(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const reader = new DelimitedReader(body);
  // The first boundary has no line end before it when nothing is before it.
  reader.prepend(Buffer.from('\r\n'));
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  await drain(reader.readUntil(delimiter));
  for (;;) {
    if ((await reader.take(2)).equals(Buffer.from('--'))) return;
    reader.giveBack();
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

/** Browsers write a quote in a name as `%22`, others as `\"`. */
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

/** Reads a stream up to delimiters, which may lie across its chunks. */
class DelimitedReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #taken: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  prepend(bytes: Buffer): void {
    this.#rest = Buffer.concat([bytes, this.#rest]);
  }

  async take(byteCount: number): Promise<Buffer> {
    while (this.#rest.byteLength < byteCount) await this.#readMore();
    this.#taken = this.#rest.subarray(0, byteCount);
    this.#rest = this.#rest.subarray(byteCount);
    return this.#taken;
  }

  /** Undoes the last `take`. */
  giveBack(): void {
    this.prepend(this.#taken);
  }

  async readText(delimiter: Buffer, bytesMax: number): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(delimiter);
      if (end >= 0 ? end > bytesMax : this.#rest.byteLength > bytesMax) throw malformed('a part has too long a head');
      if (end < 0) {
        await this.#readMore();
        continue;
      }
      const text = this.#rest.toString('utf8', 0, end);
      this.#rest = this.#rest.subarray(end + delimiter.byteLength);
      return text;
    }
  }

  /** What comes before the delimiter, which is passed over. */
  async *readUntil(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const end = this.#rest.indexOf(delimiter);
      if (end >= 0) {
        const last = this.#rest.subarray(0, end);
        this.#rest = this.#rest.subarray(end + delimiter.byteLength);
        if (last.byteLength > 0) yield last;
        return;
      }
      // The beginning of a delimiter may be at the end of what is here.
      const safe = this.#rest.byteLength - delimiter.byteLength + 1;
      if (safe > 0) {
        const piece = this.#rest.subarray(0, safe);
        this.#rest = this.#rest.subarray(safe);
        yield piece;
      }
      await this.#readMore();
    }
  }

  async #readMore(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw malformed('it ends before its last boundary');
    this.#rest = this.#rest.byteLength === 0 ? Buffer.from(next.value) : Buffer.concat([this.#rest, next.value]);
  }
}
