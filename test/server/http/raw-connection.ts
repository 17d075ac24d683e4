import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A bare TCP connection to a server under test, for requests that no HTTP client sends. */
export class RawConnection {
  readonly socket: Socket;
  text = '';
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  send(text: string): void {
    if (!this.isClosed) this.socket.write(text, 'latin1');
  }

  /** Resolves when the received data meets the condition. Rejects after a while with the received data. */
  async until(isMet: (connection: this) => boolean, msMax = 10_000): Promise<string> {
    for (const deadline = Date.now() + msMax; !isMet(this); await sleep(5)) {
      if (Date.now() > deadline)
        throw new Error(`Not within ${msMax} ms; came: ${JSON.stringify(this.text.slice(0, 500))}`);
    }
    return this.text;
  }

  /**
   * The status of the first response, once its headers are complete; 0 when the connection ended without a response.
   */
  async status(): Promise<number> {
    await this.until(({ text, isClosed }) => text.includes('\r\n\r\n') || isClosed);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.text)?.[1] ?? 0);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Resolves when the condition holds. */
export async function eventually(isMet: () => boolean | Promise<boolean>, what: string, msMax = 10_000): Promise<void> {
  for (const deadline = Date.now() + msMax; !(await isMet()); await sleep(5)) {
    if (Date.now() > deadline) throw new Error(`Not within ${msMax} ms: ${what}`);
  }
}
