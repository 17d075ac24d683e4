import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { COPY_STATEMENT_MS } from '../../model/limits/metadata-store.ts';
import type { Db } from './database.ts';
import { toCallerError } from './pool-errors.ts';

/** A value as a field of `copyRows`. */
export const toCopyText = (text: string | null): string =>
  text === null ? '\\N' : SPECIAL.test(text) ? text.replace(SPECIALS, (sign) => ESCAPES.get(sign) ?? sign) : text;

/** Bytes as a field of `copyRows`. */
export const toCopyBytes = (bytes: Buffer): string => `\\\\x${bytes.toString('hex')}`;

const SPECIAL = /[\\\t\n\r]/;
const SPECIALS = /[\\\t\n\r]/g;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
]);

/**
 * Writes rows into columns of a table with `copy`, which takes a third of the time of inserts: nothing waits for a batch before it
 * sends the next one. An error that `chunks` throws is thrown, and the transaction can only be rolled back then.
 *
 * @param target Table and columns, as in `table (a, b)`, with defaults for all others.
 * @param chunks Rows. A row is a line of `toCopyText` fields between tabs.
 */
export async function copyRows(tx: Db, target: string, chunks: AsyncIterable<string>): Promise<void> {
  const source = chunks[Symbol.asyncIterator]();
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;

  /** Chunks of one statement. Its duration is limited, whereas the rows may arrive slowly and be many. */
  async function* readSome(): AsyncGenerator<string> {
    const endAt = Date.now() + COPY_STATEMENT_MS;
    do {
      const next = await source.next().catch((error: unknown) => {
        failure = { error };
        // Postgres may log this message.
        throw new Error('the rows could not be read');
      });
      if (next.done) {
        isOver = true;
        return;
      }
      yield next.value;
      // While Postgres is quicker than the source, nothing else would wait for the event loop.
      await yieldToEventLoop();
    } while (Date.now() < endAt);
  }

  try {
    while (!isOver) {
      const statement = CompiledQuery.raw(`copy ${target} from stdin`, [readSome()]);
      for await (const _ of tx.getExecutor().stream(statement, 1));
    }
  } catch (error) {
    throw failure ? failure.error : toCallerError(error);
  } finally {
    await source.return?.();
  }
}
