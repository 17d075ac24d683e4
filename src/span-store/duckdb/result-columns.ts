// biome-ignore-all lint/style/noNonNullAssertion: a column of 64-bit values has two words for each row.
import type { DuckDBDataChunk } from '@duckdb/node-api';
import native from '@duckdb/node-bindings';
import { readTexts } from './result-values.ts';
import { type Parameters, type Statements, toChunks } from './sql.ts';
import { findTexts, type TextVectors } from './text-vectors.ts';

/**
 * Columns of a result as arrays, without a value per row and column. Numbers are read from memory as they are, so a statement
 * must return the type that a method names, without NULL.
 */
export class ResultColumns {
  readonly #chunks: readonly DuckDBDataChunk[];
  readonly rowCount: number;

  constructor(chunks: readonly DuckDBDataChunk[]) {
    this.#chunks = chunks;
    this.rowCount = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0);
  }

  /** Values of a DOUBLE column. */
  doubles = (column: number): Float64Array => new Float64Array(this.#copy(column, 8).buffer);
  /** Low and high words of a BIGINT or UBIGINT column. */
  words = (column: number): Uint32Array => new Uint32Array(this.#copy(column, 8).buffer);
  /** Row ids of a BIGINT column. */
  rowIds(column: number): Float64Array {
    const words = this.words(column);
    return Float64Array.from({ length: this.rowCount }, (_, row) => words[2 * row]! + words[2 * row + 1]! * 2 ** 32);
  }
  /** Values of a UTINYINT or BOOLEAN column. */
  bytes = (column: number): Uint8Array => this.#copy(column, 1);
  /** Texts of a VARCHAR column, which may contain NULLs. */
  *texts(column: number): Generator<string | null> {
    for (const chunk of this.#chunks) yield* readTexts(chunk, column);
  }

  /** Texts of a VARCHAR column, where they are in memory. */
  textVectors = (column: number): TextVectors => findTexts(this.#chunks, this.rowCount, column);

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

/** Runs one statement with a large result. */
export async function readColumns(statements: Statements, sql: string, parameters: Parameters): Promise<ResultColumns> {
  return new ResultColumns(toChunks(await statements.run(sql, parameters)));
}
