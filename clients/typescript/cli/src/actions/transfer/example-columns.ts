import { open } from 'node:fs/promises';
import { UsageError } from '../../command-line/command.ts';

/** The first line of a file that is longer than this is not read. */
const FIRST_LINE_BYTES_MAX = 1024 * 1024;
const SHOWN_COLUMN_COUNT = 20;
/** Columns of JSON lines whose objects are a part of an example each. */
export const WHOLE_PARTS = ['input', 'output', 'metadata'] as const;

/** Columns of a table that become the parts of an example. */
export interface ExampleColumns extends Readonly<Record<(typeof WHOLE_PARTS)[number], readonly string[]>> {
  /** The columns are the parts themselves, and not fields of them. */
  readonly isWhole: boolean;
}

/**
 * Columns of a file for which no flag names any: those of an export of a dataset, `input`, `output` and `metadata`, and in CSV
 * `input.question`. A column without a part would be dropped without a word.
 *
 * @throws {UsageError} for a file without such columns
 */
export async function findExampleColumns(path: string, ending: string): Promise<ExampleColumns> {
  const line = await readFirstLine(path);
  const isWhole = ending === 'jsonl' || ending === 'ndjson';
  const columns = isWhole ? keysOf(line) : ending === 'csv' ? splitHeader(line) : [];
  const of = (part: string) => columns.filter((name) => (isWhole ? name === part : name.startsWith(`${part}.`)));
  const found = { input: of('input'), output: of('output'), metadata: of('metadata'), isWhole };
  if (found.input.length > 0) return found;
  const shown = columns.slice(0, SHOWN_COLUMN_COUNT).join(', ');
  const more = columns.length > SHOWN_COLUMN_COUNT ? ', …' : '';
  const received = columns.length > 0 ? ` ${path} has the columns ${shown}${more}.` : '';
  throw new UsageError(
    `--input <column> is missing: it names the columns of the inputs, --output-key and --metadata those of the other parts.${received}`,
  );
}

async function readFirstLine(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(FIRST_LINE_BYTES_MAX), 0, FIRST_LINE_BYTES_MAX, 0);
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
    return /^[^\r\n]*/.exec(text.trimStart())?.[0] ?? '';
  } finally {
    await file.close();
  }
}

/** Fields of the first line of JSON. */
function keysOf(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch {
    // The server says which line is no JSON, once the columns are named.
    return [];
  }
}

/** Names in the first line of CSV, with quotes as RFC 4180 has them. */
const splitHeader = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)]
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
    .filter((name) => name !== '');
