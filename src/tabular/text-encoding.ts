/** Encodings of table files. Decoders know them by these names. */
export const TEXT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

/** Delimiters of CSV files. Spreadsheets write semicolons where the comma is the decimal point. */
export const CSV_DELIMITERS = [',', ';', '\t', '|'] as const;
export type CsvDelimiter = (typeof CSV_DELIMITERS)[number];

/** The encoding that the byte order mark at the start of a file states. */
function encodingOfMark(start: Uint8Array): TextEncoding | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? 'utf-8' : undefined;
}

/**
 * Guesses the encoding of a file from its first bytes: its byte order mark, else the zero bytes of Latin letters in UTF-16,
 * else whether the bytes are valid UTF-8.
 */
export function guessEncoding(start: Uint8Array): TextEncoding {
  const marked = encodingOfMark(start);
  if (marked) return marked;
  const zeros: [even: number, odd: number] = [0, 0];
  for (let at = 0; at < start.byteLength; at++) if (start[at] === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  const few = start.byteLength / 10;
  if (zeros[1] > few && zeros[0] <= few) return 'utf-16le';
  if (zeros[0] > few && zeros[1] <= few) return 'utf-16be';
  try {
    // The bytes may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** The delimiter that occurs most often in the first line, outside of quotes. A comma without any. */
export function guessDelimiter(text: string): CsvDelimiter {
  const line = firstLine(text.slice(0, GUESSED_CHARS));
  const count = (delimiter: string) => line.split(delimiter).length;
  return CSV_DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

/** Without the texts in quotes. */
const firstLine = (text: string): string => /^[^\r\n]*/.exec(text.replaceAll(/"[^"]*"?/g, ''))?.[0] ?? '';

const GUESSED_CHARS = 100_000;
