import type { ResponseBody } from './response-body.ts';

/** The parts of `Response` that the official packages use. */
export class VendorResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly url: string;
  readonly body: ResponseBody;
  readonly ok = true;
  readonly redirected = false;
  readonly statusText = '';
  readonly type = 'basic';

  constructor({ status, headers, url, body }: Pick<VendorResponse, 'status' | 'headers' | 'url' | 'body'>) {
    this.status = status;
    this.headers = headers;
    this.url = url;
    this.body = body;
  }

  async text(): Promise<string> {
    return (await this.body.bytes()).toString('utf8');
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return Uint8Array.from(await this.body.bytes()).buffer;
  }

  /** `fetch` must return a `Response`, and no package uses more of it than this class has. */
  asResponse(): Response {
    return this as unknown as Response;
  }
}
