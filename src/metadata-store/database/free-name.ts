import { randomBytes } from 'node:crypto';
import { IDENTIFIER_CHARS_MAX } from '../../model/limits/datasets.ts';

/**
 * Inserts a row under an unused identifier: the given one, else the given one with a random suffix. `insert` returns
 * undefined for an identifier that is in use.
 */
export async function insertUnderFreeName<Row>(
  identifier: string,
  insert: (candidate: string) => Promise<Row | undefined>,
): Promise<Row> {
  for (let candidate = identifier; ; candidate = withRandomEnd(identifier)) {
    const row = await insert(candidate);
    if (row !== undefined) return row;
  }
}

const END_CHARS = 9;
const withRandomEnd = (identifier: string): string =>
  `${identifier.slice(0, IDENTIFIER_CHARS_MAX - END_CHARS)}-${randomBytes(4).toString('hex')}`;
