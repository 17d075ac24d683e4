import { fetchResponse, RequestFailure } from './request.ts';

export interface DownloadProgress {
  readonly bytes: number;
  /** Lines so far; spans, in files that have one a line. */
  readonly lineCount: number;
  /** Spans that are expected. */
  readonly spanCount: number | undefined;
  /** Of the whole file, where the server knows. */
  readonly totalBytes: number | undefined;
}

/** What is asked for, by POST where there is a body. */
export interface DownloadRequest {
  readonly path: string;
  readonly body?: object | undefined;
}

/**
 * Reads a file of the server and hands it to the browser to keep, under the name that it has.
 *
 * @throws {RequestFailure} or what the signal aborts with; nothing is kept then
 */
export async function download(
  { path, body }: DownloadRequest,
  fallbackName: string,
  signal: AbortSignal,
  onProgress: (progress: DownloadProgress) => void,
): Promise<void> {
  const asked =
    body === undefined
      ? { signal }
      : { signal, method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetchResponse(path, path, asked);
  if (!response.ok || !response.body) throw new RequestFailure('rejected', await messageOf(response));
  const number = (name: string) => (response.headers.has(name) ? Number(response.headers.get(name)) : undefined);
  const [spanCount, totalBytes] = [number('x-span-count'), number('x-file-bytes')];
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let lineCount = 0;
  const reader = response.body.getReader();
  for (let { done, value } = await reader.read(); !done && value; { done, value } = await reader.read()) {
    pieces.push(value);
    bytes += value.byteLength;
    for (let at = value.indexOf(LINE_FEED); at >= 0; at = value.indexOf(LINE_FEED, at + 1)) lineCount++;
    onProgress({ bytes, lineCount, spanCount, totalBytes });
  }
  keep(new Blob(pieces), nameOf(response.headers.get('content-disposition')) ?? fallbackName);
}

const LINE_FEED = 10;

function keep(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function nameOf(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition ?? '')?.[1]?.replace(/\\(.)/g, '$1');
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  return faultOf(text) ?? (text.length > 0 && text.length < 500 ? text : `The server answered ${response.status}.`);
}

/** What the first fault of a body or query says, where an answer lists them; else undefined. */
function faultOf(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: readonly { readonly msg?: string }[] };
    return detail?.[0]?.msg;
  } catch {
    return undefined;
  }
}
