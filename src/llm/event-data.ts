/**
 * Texts of the data of server-sent events, from a body that yields whole events. Events without data are skipped.
 */
export async function* readEventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  for await (const event of body) {
    const data = eventData(Buffer.from(event.buffer, event.byteOffset, event.byteLength).toString('utf8'));
    if (data !== '') yield data;
  }
}

function eventData(event: string): string {
  let data = '';
  for (const line of event.split(/\r\n|\r|\n/)) {
    if (!line.startsWith('data:')) continue;
    const value = line.startsWith('data: ') ? line.slice(6) : line.slice(5);
    data = data === '' ? value : `${data}\n${value}`;
  }
  return data;
}
