/** Bytes of a line or a record of a file of rows. */
export const LINE_BYTES_MAX = 64 * 1024 * 1024;

/** Lines of UTF-8 without their ends; undefined in place of one that is too long. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let isFirst = true;
  const take = (): string | undefined => {
    const text = size > LINE_BYTES_MAX ? undefined : Buffer.concat(parts).toString('utf8');
    parts = [];
    size = 0;
    const withoutMark = isFirst ? text?.replace(/^\ufeff/, '') : text;
    isFirst = false;
    return withoutMark?.endsWith('\r') ? withoutMark.slice(0, -1) : withoutMark;
  };
  const add = (part: Uint8Array) => {
    size += part.length;
    // The rest of a line that is too long is dropped while it is read.
    if (size <= LINE_BYTES_MAX) parts.push(part);
    else parts = [];
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
