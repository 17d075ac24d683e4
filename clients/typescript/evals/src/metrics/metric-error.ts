/** An input that a metric cannot measure. The message says what was expected, what was received, and what to do. */
export class MetricError extends Error {
  override readonly name = 'MetricError';
}

/** A text in an explanation: its first characters, in quotation marks. */
export function quote(text: string, charsMax: number): string {
  return text.length <= charsMax ? `"${text}"` : `"${text.slice(0, charsMax)}…"`;
}

export function assertText(value: unknown, name: string): asserts value is string {
  if (typeof value !== 'string') {
    throw new MetricError(`Expected a text as '${name}', received ${describeType(value)}. Convert it to a text first.`);
  }
}

/** The type of a value in words. */
export const describeType = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : value === undefined ? 'nothing' : typeof value;
