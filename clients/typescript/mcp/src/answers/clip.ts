/** The first characters of a text, without half a surrogate pair at the end. */
export const clip = (text: string, length: number): string => dropHalf(text.slice(0, length));

const dropHalf = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text);

/** A part of a text by position, in UTF-16 code units, without half a surrogate pair at either end. */
export function windowOf(text: string, offset: number, length: number): { text: string; start: number; end: number } {
  const isInPair = /^[\udc00-\udfff]/.test(text.slice(offset, offset + 1)) && offset > 0;
  const start = Math.min(isInPair ? offset - 1 : offset, text.length);
  const part = clip(text.slice(start), Math.max(length, 2));
  return { text: part, start, end: start + part.length };
}
