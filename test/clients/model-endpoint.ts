import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model that counts its calls and answers with the text that it was given. */
export interface ModelEndpoint {
  readonly url: string;
  /** Text of a call → how often it came. */
  readonly calls: ReadonlyMap<string, number>;
  callCount(): number;
  close(): void;
}

/** @param rejects The numbers of calls that are answered with 429 and a time to wait. */
export async function openModelEndpoint({
  delayMs = 0,
  rejects = () => false,
}: {
  readonly delayMs?: number;
  readonly rejects?: (callNumber: number) => boolean;
} = {}): Promise<ModelEndpoint> {
  const calls = new Map<string, number>();
  let count = 0;
  const server = createServer((request, response) => {
    const text = decodeURIComponent(request.url?.slice(1) ?? '');
    if (rejects(++count)) {
      response.writeHead(429, { 'retry-after-ms': '20' }).end();
      return;
    }
    calls.set(text, (calls.get(text) ?? 0) + 1);
    setTimeout(() => response.end(text), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    callCount: () => count,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
