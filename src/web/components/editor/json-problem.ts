/** First error of a text that is not JSON. Line and column start at 1. */
export interface JsonProblem {
  readonly message: string;
  /** Index of the character in the text. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Returns the first problem of a text, or undefined if it is JSON. Browsers word problems and positions differently. */
export function findJsonProblem(text: string): JsonProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const [message, offset] = scan(text);
    const before = text.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    return { message, offset, line: before.split('\n').length, column: offset - lineStart + 1 };
  }
}

/** What may follow. `end` is the end of an object or a list. */
type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

const SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow them in a text
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /(?:true|false|null)(?!\w)/y;

function scan(text: string): readonly [string, number] {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  for (;;) {
    skip(SPACE);
    const char = text[at];
    const top = open.at(-1);
    if (char === undefined) {
      return [top ? `The text ends before the closing ${closing(top)}.` : 'The text has no value.', at];
    }
    const isEnd = top !== undefined && char === closing(top);
    if (isEnd && (expected === 'keyOrEnd' || expected === 'valueOrEnd' || expected === 'commaOrEnd')) {
      open.pop();
      at++;
      expected = open.length === 0 ? 'nothing' : 'commaOrEnd';
    } else if (expected === 'commaOrEnd' && char === ',') {
      at++;
      expected = top === '{' ? 'key' : 'value';
    } else if (expected === 'colon' && char === ':') {
      at++;
      expected = 'value';
    } else if ((expected === 'key' || expected === 'keyOrEnd') && char === '"') {
      if (!skip(STRING)) return stringProblem(text, at);
      expected = 'colon';
    } else if (expected === 'value' || expected === 'valueOrEnd') {
      if (char === '{' || char === '[') {
        open.push(char);
        at++;
        expected = char === '{' ? 'keyOrEnd' : 'valueOrEnd';
      } else if (char === '"' && !skip(STRING)) return stringProblem(text, at);
      else if (char === '"' || skip(NUMBER) || skip(WORD)) {
        expected = open.length === 0 ? 'nothing' : 'commaOrEnd';
      } else return [`${EXPECTED[expected]}, but found ${found(text, at)}.`, at];
    } else {
      const end = expected === 'commaOrEnd' && top ? `Expected a comma or ${closing(top)}` : EXPECTED[expected];
      return [`${end}, but found ${found(text, at)}.`, at];
    }
  }
}

const closing = (open: '{' | '['): string => (open === '{' ? '}' : ']');

const EXPECTED: Readonly<Record<Expected, string>> = {
  value: 'Expected a value',
  valueOrEnd: 'Expected a value or ]',
  key: 'Expected a name in double quotes',
  keyOrEnd: 'Expected a name in double quotes or }',
  colon: 'Expected a colon',
  commaOrEnd: 'Expected a comma',
  nothing: 'Expected the end of the text',
};

/** The word or character at a position, for a message. */
function found(text: string, at: number): string {
  const word = /^[\w$.+-]{1,20}/.exec(text.slice(at, at + 20))?.[0];
  return word ?? String.fromCodePoint(text.codePointAt(at)!);
}

function stringProblem(text: string, start: number): readonly [string, number] {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]!;
    if (char < ' ') {
      return [char === '\n' ? 'A string must end on its line. Write a line break as \\n.' : 'Write a tab as \\t.', at];
    }
    if (char !== '\\') continue;
    if (!/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at, at + 6))) {
      return ['A backslash starts an unknown escape. Write a backslash as \\\\.', at];
    }
    at++;
  }
  return ['The text ends before the closing double quote.', start];
}

/** Numbers that the browser cannot represent, such as 12345678901234567890. Their last digits would change. */
export function findInexactNumber(text: string): string | undefined {
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g)) {
    if (token.startsWith('"')) continue;
    if (/^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token))) return token;
  }
  return undefined;
}
