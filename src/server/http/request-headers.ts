/** Headers whose first value counts. Other repeated headers are joined according to RFC 9110 §5.3. */
const SINGLE = new Set(['authorization', 'content-type', 'content-length', 'host', 'origin', 'referer', 'user-agent']);

/** A name or address with an optional port: RFC 9110 §7.2, without user names and percent-encoding. */
const HOST = /^([\w.-]*|\[[\da-f:.]+\])(:\d{0,5})?$/i;

/** Headers of a request by lower-case name, with values as UTF-8 in both engines. */
export class RequestHeaders {
  readonly #values = new Map<string, string>();
  /** Bytes of the request line and headers as received, except for optional blanks. */
  byteCount: number;
  count = 0;
  /**
   * Whether a proxy may see another end or another host of the request: `Content-Length` values that differ or are not
   * a number, a `Transfer-Encoding` other than `chunked`, several, malformed or missing `Host` values, or a header
   * without a name.
   */
  isMalformed = false;

  constructor(requestLineBytes: number) {
    this.byteCount = requestLineBytes;
  }

  /** `name` must be in lower case. */
  add(name: string, value: string): void {
    this.count++;
    this.byteCount += name.length + value.length + 4;
    const before = this.#values.get(name);
    if (name === 'content-length' && (!/^\d{1,15}$/.test(value) || (before !== undefined && before !== value))) {
      this.isMalformed = true;
    }
    if (name === 'transfer-encoding' && (before !== undefined || value.toLowerCase() !== 'chunked'))
      this.isMalformed = true;
    if (name === 'host' && (before !== undefined || !HOST.test(value))) this.isMalformed = true;
    if (name === '') this.isMalformed = true;
    if (before === undefined) this.#values.set(name, value);
    else if (!SINGLE.has(name)) this.#values.set(name, `${before}${name === 'cookie' ? '; ' : ', '}${value}`);
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  get contentLength(): number | undefined {
    const value = this.#values.get('content-length');
    return value === undefined || this.isMalformed ? undefined : Number(value);
  }

  get isChunked(): boolean {
    return this.#values.has('transfer-encoding');
  }

  /** Whether the client closes the connection after the response. */
  get closesConnection(): boolean {
    return /(^|[,\s])close($|[,\s])/i.test(this.#values.get('connection') ?? '');
  }

  get hasBody(): boolean {
    return this.isChunked || (this.contentLength ?? 0) > 0;
  }
}
