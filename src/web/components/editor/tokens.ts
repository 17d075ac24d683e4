export interface Token {
  readonly text: string;
  /** Class of the style sheet. Undefined for spaces and punctuation. */
  readonly className: string | undefined;
}

const TOKEN = /("[^"\\\n]*(?:\\.[^"\\\n]*)*"?)(\s*:)?|(-?\d[\w.+-]*)|(true|false|null)/g;

/** Parts of a JSON text with their classes. The text may have problems. */
export function toTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let end = 0;
  const add = (part: string, className?: string) => {
    if (part !== '') tokens.push({ text: part, className });
  };
  for (const match of text.matchAll(TOKEN)) {
    const [all, string, colon = '', number] = match;
    add(text.slice(end, match.index));
    if (string !== undefined) add(string, colon === '' ? 'json-string' : 'json-key');
    else add(all, number === undefined ? 'json-word' : 'json-number');
    if (string !== undefined) add(colon);
    end = match.index + all.length;
  }
  add(text.slice(end));
  return tokens;
}
