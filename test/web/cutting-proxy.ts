import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy before a server, which breaks connections as a network does. */
export interface CuttingProxy {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
  /** Resets the first connection that sends so many bytes from now on, as soon as it has. */
  cutAfter(bytes: number): Promise<void>;
  /** Like `cutAfter`, and then resets all connections until `restore`. */
  goDownAfter(bytes: number): Promise<void>;
  /** Resets the first connection that sends so many bytes from now on when the server responds, and drops the response. */
  cutResponseAfter(bytes: number): Promise<void>;
  /** Resets all connections until `restore`. */
  goDown(): void;
  /** Accepts connections again. */
  restore(): void;
}

type Cut = 'request' | 'network' | 'response';

export async function openCuttingProxy(
  t: { after(work: () => Promise<void>): void },
  target: string,
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  /** Bytes that each connection has sent since the last plan. A browser keeps connections, so earlier ones do not count. */
  const sentBytes = new Map<Socket, number>();
  let isDown = false;
  let plan: { readonly bytes: number; readonly cut: Cut; readonly done: () => void } | undefined;
  const cutAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const proxy = createServer((client) => {
    client.on('error', () => {});
    if (isDown) {
      client.resetAndDestroy();
      return;
    }
    const server = connect(Number(port), hostname);
    let dropped: (() => void) | undefined;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        sentBytes.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    const cut = () => {
      client.resetAndDestroy();
      server.resetAndDestroy();
    };
    client.on('data', (chunk) => {
      const sent = (sentBytes.get(client) ?? 0) + chunk.length;
      sentBytes.set(client, sent);
      if (plan && sent >= plan.bytes) {
        const { cut: kind, done } = plan;
        plan = undefined;
        if (kind === 'response') dropped = done;
        else {
          isDown = kind === 'network';
          if (isDown) cutAll();
          else cut();
          done();
          return;
        }
      }
      if (!server.write(chunk)) {
        client.pause();
        server.once('drain', () => client.resume());
      }
    });
    server.on('data', (chunk) => {
      if (!dropped) client.write(chunk);
      else {
        cut();
        dropped();
      }
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(async () => {
    cutAll();
    await new Promise((resolve) => proxy.close(resolve));
  });
  const planCut = (bytes: number, cut: Cut) => {
    sentBytes.clear();
    return new Promise<void>((done) => (plan = { bytes, cut, done }));
  };
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cutAfter: (bytes) => planCut(bytes, 'request'),
    goDownAfter: (bytes) => planCut(bytes, 'network'),
    cutResponseAfter: (bytes) => planCut(bytes, 'response'),
    goDown() {
      isDown = true;
      cutAll();
    },
    restore() {
      isDown = false;
    },
  };
}
