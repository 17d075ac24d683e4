import { fetchResponse, RequestFailure } from './request.ts';

export interface DownloadProgress {
  readonly bytes: number;
  /** Number of lines read. Each line is one span in formats with one span per line. */
  readonly lineCount: number;
  /** Expected number of spans. */
  readonly spanCount: number | undefined;
  /** Size of the whole file, if the server knows it. */
  readonly totalBytes: number | undefined;
}

/** Request for a file. POST if it has a body. */
export interface DownloadRequest {
  readonly path: string;
  readonly body?: object | undefined;
}

/**
 * Downloads a file of the server under its name.
 *
 * @throws {RequestFailure} or the abort reason of the signal. Then no file is saved.
 */
export async function download(
  { path, body }: DownloadRequest,
  fallbackName: string,
  signal: AbortSignal,
  onProgress: (progress: DownloadProgress) => void,
): Promise<void> {
  const init =
    body === undefined
      ? { signal }
      : { signal, method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetchResponse(path, path, init);
  if (!response.ok || !response.body) throw new RequestFailure('rejected', await messageOf(response));
  const headerNumber = (name: string) => (response.headers.has(name) ? Number(response.headers.get(name)) : undefined);
  const [spanCount, totalBytes] = [headerNumber('x-span-count'), headerNumber('x-file-bytes')];
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let lineCount = 0;
  const reader = response.body.getReader();
  for (let { done, value } = await reader.read(); !done && value; { done, value } = await reader.read()) {
    chunks.push(value);
    bytes += value.byteLength;
    for (let at = value.indexOf(LINE_FEED); at >= 0; at = value.indexOf(LINE_FEED, at + 1)) lineCount++;
    onProgress({ bytes, lineCount, spanCount, totalBytes });
  }
  saveFile(new Blob(chunks), nameOf(response.headers.get('content-disposition')) ?? fallbackName);
}

const LINE_FEED = 10;

/** Saves a file of the page under a name. */
export function saveFile(file: Blob, name: string): void {
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
  return (
    firstProblem(text) ??
    (text.length > 0 && text.length < 500 ? text : `The server responded with status ${response.status}.`)
  );
}

/** Returns the message of the first validation error in a response, or undefined. */
function firstProblem(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: readonly { readonly msg?: string }[] };
    return detail?.[0]?.msg;
  } catch {
    return undefined;
  }
}
