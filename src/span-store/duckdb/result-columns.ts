import type { DuckDBDataChunk } from '@duckdb/node-api';
import native from '@duckdb/node-bindings';
import { readTexts } from './result-values.ts';
import { type Parameters, type Statements, toChunks } from './sql.ts';

/**
 * The columns of an answer, without a value of its own for each row and column. Numbers are read as they lie in memory,
 * so a statement must give the type that a method names, and no NULL.
 */
export class ResultColumns {
  readonly #chunks: readonly DuckDBDataChunk[];
  readonly rowCount: number;

  constructor(chunks: readonly DuckDBDataChunk[]) {
    this.#chunks = chunks;
    this.rowCount = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0);
  }

  /** Of a DOUBLE column. */
  doubles = (column: number): Float64Array => new Float64Array(this.#copy(column, 8).buffer);
  /** Of a BIGINT or UBIGINT column, the low and the high half of each number. */
  words = (column: number): Uint32Array => new Uint32Array(this.#copy(column, 8).buffer);
  /** Of a BIGINT column of row ids. */
  rowIds(column: number): Float64Array {
    const words = this.words(column);
    return Float64Array.from({ length: this.rowCount }, (_, row) => words[2 * row]! + words[2 * row + 1]! * 2 ** 32);
  }
  /** Of a UTINYINT or BOOLEAN column. */
  bytes = (column: number): Uint8Array => this.#copy(column, 1);
  /** Of a VARCHAR column; it may have NULLs. */
  *texts(column: number): Generator<string | null> {
    for (const chunk of this.#chunks) yield* readTexts(chunk, column);
  }

  #copy(column: number, width: 1 | 8): Uint8Array {
    const copy = new Uint8Array(width * this.rowCount);
    let at = 0;
    for (const chunk of this.#chunks) {
      const bytes = width * chunk.rowCount;
      copy.set(native.vector_get_data(native.data_chunk_get_vector(chunk.chunk, column), bytes), at);
      at += bytes;
    }
    return copy;
  }
}

/** Runs one statement whose answer is large. */
export async function readColumns(statements: Statements, sql: string, parameters: Parameters): Promise<ResultColumns> {
  return new ResultColumns(toChunks(await statements.run(sql, parameters)));
}
