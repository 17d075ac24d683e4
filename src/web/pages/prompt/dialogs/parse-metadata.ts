interface ParsedMetadata {
  readonly value: object;
  /** Undefined when the text is a JSON object. */
  readonly problem: string | undefined;
}

/** Reads metadata that a user has typed. An empty text is an empty object. */
export function parseMetadata(text: string): ParsedMetadata {
  if (text.trim() === '') return { value: {}, problem: undefined };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value, problem: undefined };
    return { value: {}, problem: `Expected a JSON object, received ${nameOf(value)}.` };
  } catch (error) {
    return { value: {}, problem: `Expected a JSON object: ${(error as Error).message}` };
  }
}

const nameOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
