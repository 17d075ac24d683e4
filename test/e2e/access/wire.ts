import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../server-process.ts';

/** A connection to Postgres that can be cut. */
export interface Wire {
  readonly port: number;
  /** Ends all connections and rejects new ones. */
  cut(): void;
  mend(): void;
}

/** Passes TCP connections on to a socket file. */
export async function openWire(socketPath: string): Promise<Wire> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(socketPath);
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  server.unref();
  return {
    port,
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend() {
      isCut = false;
    },
  };
}
