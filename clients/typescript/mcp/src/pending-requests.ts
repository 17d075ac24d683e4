import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';

/** A transport that knows which requests of the client have no response yet. Calls limit their number (`call-queue.ts`). */
export class PendingRequests implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #wire: Transport;
  readonly #onClose: () => void;
  readonly #pending = new Set<RequestId>();
  #notifyAnswered = () => {};

  /** @param onClose Called when the connection has ended, for any reason. */
  constructor(wire: Transport, onClose: () => void) {
    this.#wire = wire;
    this.#onClose = onClose;
  }

  async start(): Promise<void> {
    this.#wire.onclose = () => {
      this.#pending.clear();
      this.#notifyAnswered();
      this.#onClose();
      this.onclose?.();
    };
    this.#wire.onerror = (error) => this.onerror?.(error);
    this.#wire.onmessage = (message) => {
      this.#receive(message);
      this.onmessage?.(message);
    };
    await this.#wire.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#wire.send(message);
    } finally {
      // A request of the server has a method and an ID of its own.
      if (!('method' in message)) this.#settle(message.id);
    }
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  /** Resolves when every request has its response or is cancelled, and after this time at the latest. */
  async whenAnswered(msMax: number): Promise<void> {
    if (this.#pending.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, msMax);
      this.#notifyAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #receive(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if (message.method === 'notifications/cancelled') {
      this.#settle((message.params as { requestId?: RequestId } | undefined)?.requestId);
      return;
    }
    // Its response is the end of the connection.
    if ('id' in message && message.method !== 'subscriptions/listen') this.#pending.add(message.id);
  }

  #settle(id: RequestId | undefined): void {
    if (id === undefined || !this.#pending.delete(id)) return;
    if (this.#pending.size === 0) this.#notifyAnswered();
  }
}
