/** Kind of each character of JavaScript or TypeScript: 0 code, 1 string, 2 comment. Code in templates counts as string. */
export function javascriptKinds(source: string): Uint8Array {
  return scan(
    source,
    /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y,
    /"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?/y,
  );
}

/** The same for Python. */
export function pythonKinds(source: string): Uint8Array {
  return scan(
    source,
    /#[^\n]*/y,
    /[rbuf]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''(?:\\[\s\S]|[^\\])*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)/iy,
  );
}

export const CODE = 0;
const STRING = 1;
export const COMMENT = 2;

function scan(source: string, comment: RegExp, string: RegExp): Uint8Array {
  const kinds = new Uint8Array(source.length);
  for (let position = 0; position < source.length; ) {
    const length = matchLength(comment, source, position);
    const [kind, end] = length > 0 ? [COMMENT, length] : [STRING, matchLength(string, source, position)];
    if (end === 0) {
      position++;
      continue;
    }
    kinds.fill(kind, position, position + end);
    position += end;
  }
  return kinds;
}

function matchLength(pattern: RegExp, source: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.exec(source)?.[0].length ?? 0;
}
