import { pipeline } from 'node:stream/promises';
import type { PostgresCursor } from 'kysely';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { expectPresent } from '../../base/expect-present.ts';

/**
 * Sends rows to a statement `copy … from stdin`, whose only parameter is an `AsyncIterable<string>` of them. Kysely lets nothing but
 * a cursor use the connection of a transaction itself, so this is one: its only read sends all rows and returns none.
 */
export class CopyCursor<Row> implements PostgresCursor<Row> {
  readonly #statement: string;
  readonly #chunks: AsyncIterable<string>;
  #client: ClientBase | undefined;

  constructor(statement: string, parameters: unknown[]) {
    this.#statement = statement;
    this.#chunks = parameters[0] as AsyncIterable<string>;
  }

  openOn(client: ClientBase): this {
    this.#client = client;
    return this;
  }

  async read(): Promise<Row[]> {
    const client = expectPresent(this.#client, 'a cursor is opened before it is read');
    const stream = client.query(copyFrom(this.#statement));
    // An error that Postgres reports after the pipeline has failed has no other listener.
    stream.on('error', () => {});
    await pipeline(this.#chunks, stream);
    return [];
  }

  async close(): Promise<void> {}
}
