/** A line of a file, by its number from 1; `text` is undefined of one that is too long. */
export interface Line {
  readonly number: number;
  readonly text: string | undefined;
}

/** Lines of a text in chunks, without line ends. Blank lines are left out. A line that is too long has no text. */
export async function* readLines(texts: AsyncIterable<string>, charsMax: number): AsyncGenerator<Line> {
  let line = '';
  let isTooLong = false;
  let number = 0;
  const take = (rest: string): Line => {
    const text = isTooLong || line.length + rest.length > charsMax ? undefined : line + rest;
    line = '';
    isTooLong = false;
    return { number: ++number, text };
  };
  for await (const text of texts) {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const taken = take(text.slice(start, end));
      if (taken.text?.trim() !== '') yield taken;
      start = end + 1;
    }
    if (!isTooLong) line += text.slice(start);
    if (line.length > charsMax) {
      line = '';
      isTooLong = true;
    }
  }
  const last = take('');
  if (last.text?.trim() !== '') yield last;
}
