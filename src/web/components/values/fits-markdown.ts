/** A Markdown parser takes about 20 ms for 1,000 characters of dense Markdown, and the page waits for it. */
const CHARS_MAX = 50_000;
/** Deeper quotes and lists overflow the stack of the renderer. */
const DEPTH_MAX = 40;
/** Emphasis and links take time by the square of their marks in a paragraph. */
const MARKS_MAX = 1_000;
/** Every row of a table is filled up to the number of its columns, so short rows may multiply the size of a text. */
const CELLS_MAX = 5_000;

/** Whether a text can be rendered as Markdown without a long pause. Other texts are shown unchanged. */
export function fitsMarkdown(text: string): boolean {
  if (text.length > CHARS_MAX) return false;
  let marks = 0;
  let lines = 0;
  let columns = 0;
  for (const line of text.split('\n')) {
    if (nestingOf(line) > DEPTH_MAX) return false;
    if (line.trim() === '') marks = lines = columns = 0;
    lines += 1;
    marks += count(line, MARKS);
    columns = Math.max(columns, count(line, /\|/g));
    if (marks > MARKS_MAX || lines * columns > CELLS_MAX) return false;
  }
  return true;
}

const MARKS = /[*_~[`<!&]/g;

/** Number of block markers at the start of a line, and of two-space indents, each of which may continue a list. */
function nestingOf(line: string): number {
  const start = /^(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s))*/.exec(line)?.[0] ?? '';
  return count(start, /[>*+-]|\d+[.)]| {2}|\t/g);
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
