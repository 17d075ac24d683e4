/** Of these the first one counts; other repeated headers are joined, as RFC 9110 §5.3 has it. */
const SINGLE = new Set(['authorization', 'content-type', 'content-length', 'host', 'origin', 'referer', 'user-agent']);

/** A request's headers by lower-case name, values as UTF-8, whatever the engine. */
export class RequestHeaders {
  readonly #values = new Map<string, string>();
  /** Bytes of the request line and headers as on the wire, give or take optional blanks. */
  byteCount: number;
  count = 0;
  /** Two `Content-Length` that differ, or one that is no number (what the body is cannot be known), or no host. */
  isMalformed = false;

  constructor(requestLineBytes: number) {
    this.byteCount = requestLineBytes;
  }

  /** `name` in lower case. */
  add(name: string, value: string): void {
    this.count++;
    this.byteCount += name.length + value.length + 4;
    const before = this.#values.get(name);
    if (name === 'content-length' && (!/^\d{1,15}$/.test(value) || (before !== undefined && before !== value))) {
      this.isMalformed = true;
    }
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

  get hasBody(): boolean {
    return this.#values.has('transfer-encoding') || (this.contentLength ?? 0) > 0;
  }
}
