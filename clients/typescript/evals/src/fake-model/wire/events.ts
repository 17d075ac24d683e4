import { ownValue } from '../../own-value.ts';

/** Characters of a text in one event of a stream. */
const PIECE_CHARS = 24;

/** An event of a stream, as `text/event-stream` has it. */
export const toEvent = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** A text in pieces; at least one. */
export function toPieces(text: string): string[] {
  const pieces = text.match(new RegExp(`[^]{1,${PIECE_CHARS}}`, 'gu'));
  return pieces ?? [''];
}

/** The first element of a list in a body that a wire protocol has written. */
export const firstOf = (body: unknown, name: string): unknown => {
  const list = ownValue(body, name);
  return Array.isArray(list) ? list[0] : undefined;
};
